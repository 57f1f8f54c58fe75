import type { Locale } from "~/platform/i18n/i18n";
import { listsElements, type RuleRow } from "./report-view";
import type { Withheld } from "./report-entitlement.server";
import { ruleView } from "~/findings/finding-views.server";
import type { RuleResult } from "./report.server";

/** Whether a rule is locked: only name and counts are visible, not its elements. */
export function isLocked({ category, ruleId }: Pick<RuleResult, "category" | "ruleId">, withheld: Withheld): boolean {
  return listsElements(category) && withheld.has(ruleId);
}

/** A rule for lists. */
export function ruleRow(rule: RuleResult, locale: Locale, withheld: Withheld): RuleRow {
  return {
    ...ruleView({ ...rule, elementCount: rule.elements }, rule.category, locale),
    category: rule.category,
    pages: rule.pages,
    accepted: rule.accepted ?? 0,
    isLocked: isLocked(rule, withheld),
  };
}
