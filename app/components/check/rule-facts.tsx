import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ImpactBadge } from "~/components/impact-badge";
import type { RuleView } from "~/lib/check-view";

type RuleFactsProps = Pick<RuleView, "impact" | "elementCount" | "criteria"> & {
  ruleId?: string;
  /** Further facts, as list items. */
  children?: ReactNode;
};

/** Impact, reach and success criteria of a rule in one line. */
export function RuleFacts({ impact, elementCount, criteria, ruleId, children }: RuleFactsProps) {
  const { t } = useTranslation("check");
  return (
    <ul className="rule-facts">
      <li>
        <ImpactBadge impact={impact} />
      </li>
      <li>{t("result.elements", { count: elementCount })}</li>
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
