import { useTranslation } from "react-i18next";
import type { RunRow } from "~/runs/run-view";

type RunResultsProps = Pick<RunRow, "status" | "pages" | "failedPages" | "isWhole" | "violatedRules" | "elements" | "accepted">;

/** Results of a run, in a cell of a list. */
export function RunResults({ status, pages, failedPages, isWhole, violatedRules, elements, accepted }: RunResultsProps) {
  const { t } = useTranslation("runs");
  if (pages === failedPages) return status === "queued" || status === "running" ? t("results.none") : t("results.notChecked");
  if (violatedRules === 0 && accepted === 0) return isWhole ? t("results.violations", { count: 0 }) : t("results.noneSoFar");
  return (
    <>
      {violatedRules > 0 ? t("results.violations", { count: violatedRules }) : t("results.noneOpen")}
      {violatedRules > 0 && <div className="hint">{t("results.elements", { count: elements })}</div>}
      {accepted > 0 && <div className="hint">{t("results.accepted", { count: accepted })}</div>}
    </>
  );
}
