import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { hasOtherRules, type TrendPoint } from "~/monitoring/history-view";
import { IMPACTS } from "~/scan/types";

interface TrendTableProps {
  /** Run of the current page. */
  current: string;
  /** Runs, the oldest first. */
  points: TrendPoint[];
}

/** The runs of a history, the latest first. Explicit roles for the same reason as in `DataTable`. */
export function TrendTable({ current, points }: TrendTableProps) {
  const { t, i18n } = useTranslation(["history", "common"]);
  const number = new Intl.NumberFormat(i18n.language);
  const columns = [...(["run", "pages", "rules"] as const).map((name) => t(`trend.column.${name}`)), ...IMPACTS.map((impact) => t(`common:impact.${impact}`))];
  return (
    <table className="data-table" role="table">
      <caption>{t("trend.table")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[...columns, t("trend.column.total")].map((column) => (
            <th key={column} role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {points.map((point, index) => ({ point, otherRules: hasOtherRules(points, index) })).reverse().map(({ point, otherRules }) => (
          <tr key={point.id} role="row">
            <th role="rowheader" scope="row" data-label={t("trend.column.run")}>
              <Link to={`/run/${point.id}`}>
                <LocalTime at={point.createdAt} brief />
              </Link>{" "}
              {point.id === current && <span className="hint">{t("trend.current")}</span>}{" "}
              <span className="hint">
                {point.standard}
                {point.engine && `, ${point.engine}`}
              </span>{" "}
              {otherRules && <span className="hint">{t("trend.otherRules")}</span>}
            </th>
            <td role="cell" data-label={t("trend.column.pages")}>
              {number.format(point.pages - point.failedPages)}{" "}
              {point.failedPages > 0 && <span className="hint">{t("trend.failed", { count: point.failedPages })}</span>}
            </td>
            {point.pages === point.failedPages ? (
              <td role="cell" colSpan={IMPACTS.length + 2}>
                {t("trend.notChecked")}
              </td>
            ) : (
              <>
                <td role="cell" data-label={t("trend.column.rules")}>
                  {number.format(point.violatedRules)}
                </td>
                {IMPACTS.map((impact) => (
                  <td key={impact} role="cell" data-label={t(`common:impact.${impact}`)}>
                    {number.format(point.elements[impact])}
                  </td>
                ))}
                <td role="cell" data-label={t("trend.column.total")}>
                  {number.format(point.total)}{" "}
                  {point.accepted > 0 && <span className="hint">{t("trend.accepted", { count: point.accepted })}</span>}{" "}
                  {point.acceptedUnknown && <span className="hint">{t("trend.acceptedUnknown")}</span>}{" "}
                  {point.status === "canceled" && <span className="hint">{t("trend.canceled")}</span>}{" "}
                  {point.status === "failed" && <span className="hint">{t("trend.brokenOff")}</span>}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
