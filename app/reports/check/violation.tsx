import { useTranslation } from "react-i18next";
import type { ViolationView } from "~/findings/check-view";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { LocalizedText } from "~/ui/localized-text";
import { ForDevelopment } from "./problem/for-development";
import { Places } from "./problem/places";
import { RemedyInWords } from "./problem/remedy";
import { RuleFacts } from "./rule-facts";

/** One problem in full: first in plain words, then for developers. */
export function Violation({ ruleId, title, impact, elementCount, criteria, impactOnPeople, remedy, colors, places, development }: ViolationView) {
  const { t } = useTranslation("check");
  const headingId = `rule-${ruleId}`;
  return (
    <article className={`violation violation-${impact ?? "none"}`} aria-labelledby={headingId}>
      <h3 id={headingId}>
        <LocalizedText {...title} />
      </h3>
      <RuleFacts impact={impact} elementCount={elementCount} criteria={criteria} />
      <div className="violation-body">
        {places.length > 0 && (
          <div>
            <h4>{t("place.heading")}</h4>
            <Places title={title.text} places={places} total={elementCount} />
          </div>
        )}
        <div>
          <h4>{t("violations.why")}</h4>
          <AffectedPeople {...impactOnPeople} />
          <h4>{t("violations.todo")}</h4>
          <RemedyInWords remedy={remedy} colors={colors} />
        </div>
      </div>
      <ForDevelopment ruleId={ruleId} title={title} elementCount={elementCount} development={development} />
    </article>
  );
}
