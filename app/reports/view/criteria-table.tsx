import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "~/ui/icon";
import { LocalizedText } from "~/ui/localized-text";
import { rulePath, type CriterionRow } from "~/reports/report-view";
import { LockedMark } from "./locked-mark";

const ICONS: Record<CriterionRow["state"], IconName> = {
  failed: "critical",
  review: "user",
  nothing_found: "check",
  not_tested: "minor",
};

/**
 * Every success criterion of the standard, with its clause in EN 301 549 and the result of the scan.
 * @param base of the report
 */
export function CriteriaTable({ base, criteria }: { base: string; criteria: CriterionRow[] }) {
  const { t } = useTranslation("report");
  return (
    <table className="data-table" role="table">
      <caption className="visually-hidden">{t("criteria.heading")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(["criterion", "level", "clause", "state", "rules"] as const).map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`criteria.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {criteria.map(({ number, name, level, clause, state, rules }) => (
          <tr key={number} role="row">
            <th role="rowheader" scope="row" data-label={t("criteria.column.criterion")}>
              {`${number} ${name}`}
            </th>
            <td role="cell" data-label={t("criteria.column.level")}>
              {level}
            </td>
            <td role="cell" data-label={t("criteria.column.clause")}>
              {clause ?? t("criteria.noClause")}
            </td>
            <td role="cell" data-label={t("criteria.column.state")}>
              <CriterionMark state={state} />
            </td>
            <td role="cell" data-label={t("criteria.column.rules")}>
              {rules.length > 0 && (
                <ul className="plain-list">
                  {rules.map((rule) => (
                    <li key={`${rule.category} ${rule.ruleId}`}>
                      <Link to={rulePath(base, rule)}>
                        <LocalizedText {...rule.title} />
                      </Link>
                      {rule.isLocked && <LockedMark />}
                      {rule.category === "incomplete" && ` (${t("criteria.state.review")})`}
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The result of a criterion, as icon and words. */
export function CriterionMark({ state }: Pick<CriterionRow, "state">) {
  const { t } = useTranslation("report");
  return (
    <span className={`run-state criterion-${state}`}>
      <Icon name={ICONS[state]} size={16} />
      {t(`criteria.state.${state}`)}
    </span>
  );
}
