import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import type { CriterionRow, CriterionVerdict } from "~/reports/report-view";
import { DataTable } from "~/ui/data-table";
import { CriterionRules } from "./criterion-rules";

const ICONS: Record<CriterionRow["state"], IconName> = {
  failed: "critical",
  accepted: "minor",
  review: "user",
  unfinished: "alert",
  nothing_found: "check",
  not_tested: "minor",
};

interface CriteriaTableProps {
  /** Path of the report. */
  base: string;
  criteria: CriterionRow[];
  /** Verdicts of people by the number of the criterion; without any, the table has no column for them. */
  verdicts: Partial<Record<string, CriterionVerdict>>;
}

/** All success criteria of the standard, with their clauses in EN 301 549, the result of the scan, and people's verdicts. */
export function CriteriaTable({ base, criteria, verdicts }: CriteriaTableProps) {
  const { t } = useTranslation("report");
  const hasVerdicts = criteria.some(({ number }) => verdicts[number]);
  const columns = (["criterion", "level", "clause", "state", "verdict", "rules"] as const).filter((column) => column !== "verdict" || hasVerdicts);
  return (
    <DataTable caption={t("criteria.heading")} columns={columns.map((column) => t(`criteria.column.${column}`))}>
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
          {hasVerdicts && (
            <td role="cell" data-label={t("criteria.column.verdict")}>
              <VerdictText verdict={verdicts[number]} />
            </td>
          )}
          <td role="cell" data-label={t("criteria.column.rules")}>
            <CriterionRules base={base} rules={rules} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function VerdictText({ verdict }: { verdict: CriterionVerdict | undefined }) {
  const { t } = useTranslation("report");
  if (!verdict) return t("criteria.verdict.none");
  return (
    <>
      {t(`criteria.verdict.${verdict.verdict}`)} <span className="hint"><LocalTime at={verdict.at} dateOnly /></span>
    </>
  );
}

/** Result of a criterion, as icon and words. @param children in place of the usual words */
export function CriterionMark({ state, children }: Pick<CriterionRow, "state"> & { children?: ReactNode }) {
  const { t } = useTranslation("report");
  return (
    <span className={`run-state criterion-${state}`}>
      <Icon name={ICONS[state]} size={16} />
      {children ?? t(`criteria.state.${state}`)}
    </span>
  );
}
