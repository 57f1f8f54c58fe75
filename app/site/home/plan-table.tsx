import { useTranslation } from "react-i18next";
import type { PlanOffer } from "~/billing/plans/offers";
import { PLANS } from "~/billing/plans/plans";

const ROWS = ["scope", "level", "additions", "advanced", "repetition", "access", "mails", "worse", "history", "review", "accept", "notes", "share", "exports", "cover", "api"] as const;

interface PlanTableProps {
  offers: PlanOffer[];
  /** Maximum number of pages of a scan. */
  mostPages: number;
}

/** Contents of each plan. On narrow screens, CSS stacks the cells; explicit roles keep it a table for assistive technology. */
export function PlanTable({ offers, mostPages }: PlanTableProps) {
  const { t, i18n } = useTranslation("home");
  const number = new Intl.NumberFormat(i18n.language);
  const websites = PLANS.map(({ key, domains }) => {
    const offer = offers.find(({ plan }) => plan === key);
    const limit = offer ? offer.urlLimit : domains;
    return limit === null ? t("planTable.row.websites.unlimited") : number.format(limit);
  });
  const rows = [
    { name: t("planTable.row.websites.name"), cells: websites },
    ...ROWS.map((row) => ({ name: t(`planTable.row.${row}.name`), cells: PLANS.map(({ key }) => t(`planTable.row.${row}.${key}`, { pages: mostPages })) })),
  ];
  return (
    <>
      <h3 id="plan-table">{t("planTable.heading")}</h3>
      <table className="data-table" role="table" aria-labelledby="plan-table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {t("planTable.holds")}
            </th>
            {PLANS.map(({ key }) => (
              <th key={key} role="columnheader" scope="col">
                {t(`pricing.${key}.name`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ name, cells }) => (
            <tr key={name} role="row">
              <th role="rowheader" scope="row">
                {name}
              </th>
              {PLANS.map(({ key }, index) => (
                <td key={key} role="cell" data-label={t(`pricing.${key}.name`)}>
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
