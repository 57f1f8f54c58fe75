import { useTranslation } from "react-i18next";
import type { ReportHead } from "~/reports/report-view";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { ReportFrame } from "~/reports/view/report-frame";
import { KeptNotice } from "~/ui/form/kept-notice";
import { AcceptanceList } from "./acceptance-list";
import type { AcceptanceRow } from "./acceptance-view";

interface AcceptancesPageProps {
  head: ReportHead;
  /** Whether a form was sent after the session had ended. */
  kept: boolean;
  rows: AcceptanceRow[];
  pageNumber: number;
  pageCount: number;
}

/** Acceptances for the website of a report. */
export function AcceptancesPage({ head, kept, rows, pageNumber, pageCount }: AcceptancesPageProps) {
  const { t } = useTranslation("acceptance");
  const path = `${head.base}/accepted`;
  const pagePath = (number: number) => (number > 1 ? `${path}?part=${number}` : path);
  const isOwner = head.reader === "owner";
  return (
    <ReportFrame head={head} current="accepted">
      <ReportHeading host={head.host}>{t("list.heading")}</ReportHeading>
      {kept && <KeptNotice isButton />}
      <p className="lead">{t("list.lead", { count: head.accepted })}</p>
      {!isOwner && <p>{t("list.shared")}</p>}
      {isOwner && rows.length === 0 && <p>{t("list.none")}</p>}
      <AcceptanceList rows={rows} path={isOwner ? pagePath(pageNumber) : undefined} />
      <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={pagePath} />
    </ReportFrame>
  );
}
