import { ADVANCED_RULES, CONDITION_OF } from "~/scan/rules/rampe/index";
import type { ShownIn } from "~/scan/types";

/**
 * How pages were shown or used when results held.
 * @param results of the whole check: without advanced analyses, all of it is about the usual condition
 * @returns of a result, by the id of its rule and the conditions that it names itself
 */
export function conditionsOf(results: { ruleId: string }[]): (ruleId: string, named?: ShownIn[]) => ShownIn[] {
  const isAdvanced = results.some(({ ruleId }) => ADVANCED_RULES.has(ruleId));
  return (ruleId, named) => named ?? [(isAdvanced && CONDITION_OF.get(ruleId)) || "desktop"];
}
