import { useTranslation } from "react-i18next";
import type { FinishedCheck } from "~/findings/check-view";
import { UnfinishedRules } from "./unfinished-rules";

/** Everything this check did not cover, by name if known. */
export function CheckGaps(gaps: FinishedCheck["gaps"]) {
  const { partial, frames, closedShadowRoots, resources, offline = 0, unopened = 0, concealed, unfinished, late, missing } = gaps;
  const { t } = useTranslation("check");
  return (
    <section aria-labelledby="not-checked" className="prose">
      <h2 id="not-checked">{t("gaps.heading")}</h2>
      <ul>
        {unfinished && <li>{t("gaps.unfinished")}</li>}
        {concealed && <li>{t("gaps.concealed")}</li>}
        {late.map((why) => (
          <li key={why}>{t(`gaps.late.${why}`)}</li>
        ))}
        {missing && <li>{t("gaps.missing", { selector: missing.selector, seconds: Math.round(missing.waitedMs / 1_000) })}</li>}
        <UnfinishedRules text={t("gaps.partial")} rules={partial} />
        {frames.length > 0 && (
          <li>
            {t("gaps.frames")}
            <ul>
              {frames.map((address) => (
                <li key={address} className="address">
                  {address}
                </li>
              ))}
            </ul>
          </li>
        )}
        {closedShadowRoots > 0 && <li>{t("gaps.closedShadowRoots", { count: closedShadowRoots })}</li>}
        {resources > 0 && <li>{t("gaps.resources", { count: resources })}</li>}
        {offline > 0 && <li>{t("gaps.offline", { count: offline })}</li>}
        {unopened > 0 && <li>{t("gaps.unopened", { count: unopened })}</li>}
        <li>{t("gaps.scope")}</li>
        <li>{t("gaps.documents")}</li>
      </ul>
    </section>
  );
}
