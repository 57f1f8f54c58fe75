import { IMPACTS, type FindingResult, type Impact } from "./types";

/** For sorting by severity: 0 for the worst impact; results without an impact come last. */
export const impactRank = (impact: Impact | null): number => (impact === null ? IMPACTS.length : IMPACTS.indexOf(impact));

export const worseImpact = (one: Impact | null, other: Impact | null): Impact | null => (impactRank(one) <= impactRank(other) ? one : other);

/** The order of findings in every list: by impact, then by the number of elements; equal ones always in the same order. */
export function worstFirst(one: Ranked, other: Ranked): number {
  return impactRank(one.impact) - impactRank(other.impact) || other.elementCount - one.elementCount || (one.ruleId < other.ruleId ? -1 : 1);
}

type Ranked = Pick<FindingResult, "ruleId" | "impact" | "elementCount">;

/** A count for each impact, with 0 everywhere. */
export const noImpacts = (): Record<Impact, number> => Object.fromEntries(IMPACTS.map((impact) => [impact, 0])) as Record<Impact, number>;

/** How many results have each impact; those without one are not counted. */
export function countImpacts(results: readonly { impact: Impact | null }[]): Record<Impact, number> {
  const counts = noImpacts();
  for (const { impact } of results) if (impact) counts[impact] += 1;
  return counts;
}
