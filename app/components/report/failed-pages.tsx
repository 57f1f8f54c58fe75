import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { Reason } from "~/scan/types";

interface FailedPagesProps {
  /** Of the report. */
  base: string;
  /** The first ones. */
  pages: { id: number; url: string; reason: Reason }[];
  total: number;
}

/** The pages that could not be checked, and why. */
export function FailedPages({ base, pages, total }: FailedPagesProps) {
  const { t } = useTranslation("report");
  if (total === 0) return null;
  return (
    <section aria-labelledby="failed-pages">
      <h2 id="failed-pages">{t("failedPages.heading", { count: total })}</h2>
      <p className="prose-line">{t("failedPages.text")}</p>
      <ul className="plain-list">
        {pages.map(({ id, url, reason }) => (
          <li key={id}>
            <span className="address">{url}</span>
            <div className="hint">{t(`reason.${reason}`)}</div>
          </li>
        ))}
      </ul>
      {total > pages.length && (
        <p>
          <Link to={`${base}/pages?failed=1`}>{t("failedPages.all", { count: total })}</Link>
        </p>
      )}
    </section>
  );
}
