import { useTranslation } from "react-i18next";

const PLANS = ["basic", "pro", "enterprise"] as const;
const ROWS = ["websites", "scope", "level", "additions", "advanced", "repetition", "mails", "history", "review", "share", "exports", "api"] as const;

/** What each plan holds. On narrow screens, CSS stacks the cells; explicit roles keep it a table for assistive technology. */
export function PlanTable() {
  const { t } = useTranslation("home");
  return (
    <>
      <h3 id="plan-table">{t("planTable.heading")}</h3>
      <table className="data-table" role="table" aria-labelledby="plan-table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {t("planTable.holds")}
            </th>
            {PLANS.map((plan) => (
              <th key={plan} role="columnheader" scope="col">
                {t(`pricing.${plan}.name`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {ROWS.map((row) => (
            <tr key={row} role="row">
              <th role="rowheader" scope="row">
                {t(`planTable.row.${row}.name`)}
              </th>
              {PLANS.map((plan) => (
                <td key={plan} role="cell" data-label={t(`pricing.${plan}.name`)}>
                  {t(`planTable.row.${row}.${plan}`)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
