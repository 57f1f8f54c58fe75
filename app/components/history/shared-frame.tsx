import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/components/local-time";
import type { ReportHead } from "~/lib/report-view";
import { CATEGORIES } from "~/scan/types";

interface SharedFrameProps {
  /** What all addresses of the report begin with. */
  base: string;
  head: ReportHead;
  current: "overview" | (typeof CATEGORIES)[number];
  children: ReactNode;
}

/** What is around every page of a report that somebody has shared; nothing leads to their account. */
export function SharedFrame({ base, head, current, children }: SharedFrameProps) {
  const { t, i18n } = useTranslation(["history", "report"]);
  const number = new Intl.NumberFormat(i18n.language);
  const parts = [
    { part: "overview" as const, path: "", count: undefined },
    ...CATEGORIES.map((category) => ({ part: category, path: `/${category}`, count: head.counts[category] })),
  ];
  return (
    <article className="report wrap">
      <header className="report-head">
        <p className="hint">{base === "/sample" ? t("sample.notice") : t("shared.notice")}</p>
        <p className="report-of">
          {t(`report:frame.of.${head.scope}`)} <span className="address">{head.host}</span>
        </p>
        <p className="hint">
          {head.standard}, <LocalTime at={head.finishedAt ?? head.createdAt} brief />
          {head.status === "canceled" && `, ${t("report:frame.canceled")}`}
        </p>
      </header>
      <nav className="parts" aria-label={t("shared.parts")}>
        <ul>
          {parts.map(({ part, path, count }) => (
            <li key={part}>
              <Link to={`${base}${path}`} aria-current={part === current ? "page" : undefined}>
                {t(`report:part.${part}`)}
                {count !== undefined && <span className="count">{number.format(count)}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </article>
  );
}
