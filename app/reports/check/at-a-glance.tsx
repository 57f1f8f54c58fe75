import { useTranslation } from "react-i18next";
import type { FinishedCheck } from "~/findings/check-view";
import { CATEGORIES, IMPACTS } from "~/scan/types";
import { ImpactBadge } from "~/ui/impact-badge";
import { ImpactChart } from "./impact-chart";

/** Counts by category and by impact, as text and as a small picture. */
export function AtAGlance({ counts, impacts }: Pick<FinishedCheck, "counts" | "impacts">) {
  const { t } = useTranslation("check");
  return (
    <section aria-labelledby="at-a-glance">
      <h2 id="at-a-glance" className="visually-hidden">
        {t("counts.heading")}
      </h2>
      <dl className="tiles">
        {CATEGORIES.map((category) => (
          <div key={category} className={counts[category] > 0 ? `tile tile-${category}` : "tile"}>
            <dt>{t(`counts.${category}`)}</dt>
            <dd>
              <strong>{counts[category]}</strong> {t("counts.rulesWord", { count: counts[category] })}
            </dd>
          </div>
        ))}
      </dl>
      {counts.violations > 0 && (
        <div className="by-impact">
          <h3>{t("counts.byImpact")}</h3>
          <ImpactChart impacts={impacts} />
          <ul>
            {IMPACTS.filter((impact) => impacts[impact] > 0).map((impact) => (
              <li key={impact}>
                <strong>{impacts[impact]}</strong> <ImpactBadge impact={impact} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
