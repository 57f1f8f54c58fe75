import type { Locale } from "~/lib/i18n";
import type { RuleRow } from "~/lib/report-view";
import { ruleView } from "./finding-views.server";
import type { RuleResult } from "./report.server";

/** What lists show of a rule. */
export function ruleRow(rule: RuleResult, locale: Locale): RuleRow {
  return {
    ...ruleView({ ...rule, elementCount: rule.elements }, locale),
    category: rule.category,
    pages: rule.pages,
  };
}
