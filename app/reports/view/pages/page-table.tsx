import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { AddressNotes } from "~/findings/view/page-address";
import type { PageRow } from "~/reports/report-view";
import { DataTable } from "~/ui/data-table";
import { StageTimes } from "./stage-times";

/**
 * The pages of a run with their outcomes.
 * @param base of the report
 */
export function PageTable({ base, pages }: { base: string; pages: PageRow[] }) {
  const { t } = useTranslation("report");
  return (
    <DataTable
      caption={t("part.pages")}
      columns={(["page", "outcome", "violations", "incomplete"] as const).map((column) => t(`pages.column.${column}`))}
    >
      {pages.map((page) => (
        <tr key={page.id} role="row">
          <th role="rowheader" scope="row" data-label={t("pages.column.page")}>
            {page.title && <bdi lang={page.titleLang || undefined}>{page.title}</bdi>}
            <div className="hint address">{page.url}</div>
            <AddressNotes reached={page.reached} linkedFrom={page.status === "failed" ? page.linkedFrom : null} />
            {page.hasWalk && (
              <div>
                <Link to={`${base}/pages/${page.id}/keyboard`}>
                  {t("keyboard.link")}
                  <span className="visually-hidden"> {page.url}</span>
                </Link>
              </div>
            )}
          </th>
          <td role="cell" data-label={t("pages.column.outcome")}>
            <Outcome {...page} />{" "}
            <StageTimes {...page} />
          </td>
          <td role="cell" data-label={t("pages.column.violations")}>
            {page.violations > 0 ? (
              <Link to={`${base}/violations?page=${page.id}`}>
                {t("pages.violations", { count: page.violations })}
                <span className="visually-hidden"> {page.url}</span>
              </Link>
            ) : (
              page.status === "succeeded" && t("pages.noViolations")
            )}
          </td>
          <td role="cell" data-label={t("pages.column.incomplete")}>
            {page.incomplete > 0 ? (
              <Link to={`${base}/incomplete?page=${page.id}`}>
                {t("pages.incomplete", { count: page.incomplete })}
                <span className="visually-hidden"> {page.url}</span>
              </Link>
            ) : (
              page.status === "succeeded" && t("pages.noIncomplete")
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Outcome({ status, reason, isPartly, partial }: PageRow) {
  const { t } = useTranslation("report");
  if (status === "succeeded") {
    return (
      <span className="run-state">
        <Icon name={isPartly ? "alert" : "check"} size={16} />
        {partial > 0 ? t("pages.partial", { count: partial }) : t(isPartly ? "pages.partly" : "pages.checked")}
      </span>
    );
  }
  return (
    <span className="run-state run-state-failed">
      <Icon name="critical" size={16} />
      {t("pages.notChecked")}: {t(`reason.${reason.kind}`, { httpStatus: reason.httpStatus })}
    </span>
  );
}
