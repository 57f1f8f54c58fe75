import { useTranslation } from "react-i18next";
import { formatSeconds } from "~/platform/i18n/format-duration";
import type { PageRow } from "~/reports/report-view";

/** Duration of a page's check, and of each stage; nothing if unknown. */
export function StageTimes({ url, durationMs, stages }: Pick<PageRow, "url" | "durationMs" | "stages">) {
  const { t, i18n } = useTranslation("report");
  if (durationMs === null || stages.length === 0) return null;
  const seconds = (ms: number) => formatSeconds(ms / 1_000, i18n.language, 1);
  return (
    <details className="stage-times">
      <summary>
        {t("pages.took", { time: seconds(durationMs) })}
        <span className="visually-hidden"> {url}</span>
      </summary>
      <ul>
        {stages.map(({ stage, ms, limitMs }) => (
          <li key={stage}>
            {t(`pages.stage.${stage}`)}: {t("pages.stageTime", { time: seconds(ms), limit: seconds(limitMs) })}
          </li>
        ))}
      </ul>
    </details>
  );
}
