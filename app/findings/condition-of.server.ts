import { ADVANCED_RULES, CONDITION_OF } from "~/scan/rules/rampe/index";
import type { ShownIn } from "~/scan/types";

/**
 * Conditions of results: how pages were shown or used.
 * @param results of the whole check: without advanced analyses, all have the usual condition
 * @returns conditions of a result, by the id of its rule and the conditions in the result itself
 */
export function conditionsOf(results: { ruleId: string }[]): (ruleId: string, named?: ShownIn[]) => ShownIn[] {
  const isAdvanced = results.some(({ ruleId }) => ADVANCED_RULES.has(ruleId));
  return (ruleId, named) => named ?? [(isAdvanced && CONDITION_OF.get(ruleId)) || "desktop"];
}

/** Whether a rule runs only in a condition of its own; the others may be repeated in several. */
export const hasOwnCondition = (ruleId: string): boolean => CONDITION_OF.has(ruleId);
