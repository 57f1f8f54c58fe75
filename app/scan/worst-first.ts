import { IMPACTS, type FindingResult } from "./types";

/** The order of findings in every list: by impact, then by the number of elements; equal ones always in the same order. */
export function worstFirst(one: Ranked, other: Ranked): number {
  return rank(one) - rank(other) || other.elementCount - one.elementCount || (one.ruleId < other.ruleId ? -1 : 1);
}

type Ranked = Pick<FindingResult, "ruleId" | "impact" | "elementCount">;

/** Results without an impact come last. */
const rank = ({ impact }: Ranked): number => (impact === null ? IMPACTS.length : IMPACTS.indexOf(impact));
