import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ImpactBadge } from "~/ui/impact-badge";
import type { RuleView } from "~/findings/check-view";
import { listsElements } from "~/reports/report-view";
import type { Category } from "~/scan/types";

const ELEMENTS = { violations: "result.elements", incomplete: "result.toReview", passes: "result.checkedElements" } as const;

type RuleFactsProps = Pick<RuleView, "impact" | "elementCount" | "criteria"> & {
  /** Result category of the elements. */
  category?: Category;
  ruleId?: string;
  /** Further facts, as list items. */
  children?: ReactNode;
};

/** Impact, reach and success criteria of a rule in one line. */
export function RuleFacts({ category = "violations", impact, elementCount, criteria, ruleId, children }: RuleFactsProps) {
  const { t } = useTranslation("check");
  return (
    <ul className="rule-facts">
      {/* Rules without findings have no impact rating. */}
      {listsElements(category) && (
        <li>
          <ImpactBadge impact={impact} />
        </li>
      )}
      {category !== "inapplicable" && <li>{t(ELEMENTS[category], { count: elementCount })}</li>}
      {children}
      {criteria.map((criterion) => (
        <li key={criterion}>WCAG {criterion}</li>
      ))}
      {ruleId && (
        <li>
          <code translate="no">{ruleId}</code>
        </li>
      )}
    </ul>
  );
}
