import { ADVANCED_RULES, CONDITION_OF } from "~/scan/rules/rampe/index";
import type { ReportedCondition } from "./conditions";

/**
 * How pages were shown or used when findings of a rule held.
 * @param results of the whole check: without advanced analyses, all of it is about the usual condition
 * @returns of a rule, by id
 */
export function conditionsOf(results: { ruleId: string }[]): (ruleId: string) => ReportedCondition {
  const isAdvanced = results.some(({ ruleId }) => ADVANCED_RULES.has(ruleId));
  return (ruleId) => (isAdvanced && CONDITION_OF.get(ruleId)) || "desktop";
}
