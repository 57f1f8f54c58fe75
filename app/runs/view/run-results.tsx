import { useTranslation } from "react-i18next";
import type { RunRow } from "~/runs/run-view";

type RunResultsProps = Pick<RunRow, "status" | "pages" | "failedPages" | "isWhole" | "violatedRules" | "elements">;

/** What a run has found, in a cell of a list. */
export function RunResults({ status, pages, failedPages, isWhole, violatedRules, elements }: RunResultsProps) {
  const { t } = useTranslation("runs");
  if (pages === failedPages) return status === "queued" || status === "running" ? t("results.none") : t("results.notChecked");
  if (violatedRules === 0) return isWhole ? t("results.violations", { count: 0 }) : t("results.noneSoFar");
  return (
    <>
      {t("results.violations", { count: violatedRules })}
      <div className="hint">{t("results.elements", { count: elements })}</div>
    </>
  );
}
