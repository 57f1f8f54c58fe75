import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "~/ui/icon";
import { isMostlyUnchecked, type RunRow } from "~/runs/run-view";

const ICONS: Record<RunRow["status"], IconName> = {
  queued: "minor",
  running: "system",
  succeeded: "check",
  failed: "critical",
  canceled: "minor",
};

/** Progress of a run, as text and icon shape. */
export function RunState({ status, scope, pages, failedPages, knownPages }: Pick<RunRow, "status" | "scope" | "pages" | "failedPages" | "knownPages">) {
  const { t } = useTranslation("runs");
  const isPartly = status === "succeeded" && isMostlyUnchecked({ pages, failedPages });
  const isBrokenOff = status === "failed" && pages > failedPages;
  // Only if the status does not already say that no page was checked.
  const saysUnchecked = failedPages > 0 && (status !== "failed" || isBrokenOff);
  return (
    <>
      <span className={`run-state run-state-${isPartly || isBrokenOff ? "partly" : status}`}>
        <Icon name={isPartly || isBrokenOff ? "alert" : ICONS[status]} size={16} />
        {t(isBrokenOff ? "status.brokenOff" : isPartly ? "status.mostlyUnchecked" : `status.${status}`)}
      </span>
      {scope === "site" && (status === "running" || pages > 0) && (
        <div className="hint">
          {status === "running" ? t("progress.pagesOf", { pages, count: Math.max(known(knownPages), pages) }) : t("progress.pages", { count: pages })}
          {saysUnchecked && `, ${t("progress.unchecked", { count: failedPages })}`}
        </div>
      )}
    </>
  );
}

const known = (pages: number) => Math.max(pages, 1);
