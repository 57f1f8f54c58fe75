import { useTranslation } from "react-i18next";
import type { ConditionRow } from "~/reports/report-view";
import { SHOWN_IN } from "~/scan/types";
import { DataTable } from "~/ui/data-table";
import { CriterionMark } from "./criteria-table";

/** Result of each criterion in each condition of the pages. */
export function ConditionTable({ rows }: { rows: ConditionRow[] }) {
  const { t } = useTranslation("report");
  const conditions = SHOWN_IN.filter((condition) => rows.some(({ states }) => states[condition] !== "not_tested"));
  return (
    <DataTable
      caption={t("criteria.conditions.heading")}
      columns={[t("criteria.column.criterion"), ...conditions.map((condition) => t(`criteria.conditions.${condition}`))]}
      className="condition-table"
    >
      {rows.map(({ number, name, states }) => (
        <tr key={number} role="row">
          <th role="rowheader" scope="row" data-label={t("criteria.column.criterion")}>
            {`${number} ${name}`}
          </th>
          {conditions.map((condition) => (
            <td key={condition} role="cell" className={states[condition] === "not_tested" ? "not-tested" : undefined} data-label={t(`criteria.conditions.${condition}`)}>
              {states[condition] === "not_tested" ? <NotTested /> : <CriterionMark state={states[condition]}>{states[condition] === "nothing_found" ? t("criteria.conditions.nothingFound") : undefined}</CriterionMark>}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

/** Cell for most criteria: a dash makes the others easier to see. */
function NotTested() {
  const { t } = useTranslation("report");
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t("criteria.conditions.notTested")}</span>
    </>
  );
}
