import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageAddress } from "~/findings/view/page-address";
import type { ReportHead, ReportOverview } from "~/reports/report-view";

interface FailedPagesProps extends Pick<ReportHead, "base" | "reader" | "url"> {
  /** First pages that could not be checked. */
  pages: ReportOverview["failed"];
  hasSignIn: boolean;
  total: number;
}

/** Pages that could not be checked, with their reasons. */
export function FailedPages({ base, reader, url: startUrl, pages, hasSignIn, total }: FailedPagesProps) {
  const { t } = useTranslation("report");
  if (total === 0) return null;
  return (
    <section aria-labelledby="failed-pages">
      <h2 id="failed-pages">{t("failedPages.heading", { count: total })}</h2>
      <p className="prose-line">{t("failedPages.text")}</p>
      <ul className="plain-list">
        {pages.map(({ id, url, reached, linkedFrom, reason }) => (
          <li key={id}>
            <PageAddress url={url} reached={reached} linkedFrom={linkedFrom} />
            <div className="hint">{t(`reason.${reason.kind}`, { httpStatus: reason.httpStatus })}</div>
          </li>
        ))}
      </ul>
      {hasSignIn && (
        <p className="prose-line">
          {t("failedPages.signIn")}{" "}
          {reader === "owner" && <Link to={`/runs/new?url=${encodeURIComponent(startUrl)}`}>{t("failedPages.give")}</Link>}
        </p>
      )}
      {total > pages.length && (
        <p>
          <Link to={`${base}/pages?failed=1`}>{t("failedPages.all", { count: total })}</Link>
        </p>
      )}
    </section>
  );
}
