import { NavLink } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Pages of the administration, in the order of the navigation; each has a name in `admin:nav.…`. */
const PAGES = [
  ["/admin/people", "people"],
  ["/admin/invitations", "invitations"],
  ["/admin/queue", "queue"],
  ["/admin/messages", "messages"],
  ["/admin/mails", "mails"],
  ["/admin/settings", "settings"],
  ["/admin/audit-log", "audit"],
] as const;

interface AdministrationPageProps {
  heading: string;
  /** Content beside the heading, such as a link to a form. */
  action?: ReactNode;
  /** Content above the heading: the error summary. */
  summary?: ReactNode;
  children: ReactNode;
}

/** Layout of an administration page: navigation and heading. */
export function AdministrationPage({ heading, action, summary, children }: AdministrationPageProps) {
  const { t } = useTranslation("admin");
  return (
    <article className="account-page administration wrap">
      {summary}
      <nav className="parts" aria-label={t("nav.label")}>
        <ul>
          {PAGES.map(([path, name]) => (
            <li key={path}>
              <NavLink to={path}>{t(`nav.${name}`)}</NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <header className="page-head">
        <h1>{heading}</h1>
        {action}
      </header>
      {children}
    </article>
  );
}
