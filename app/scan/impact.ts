import { IMPACTS, type FindingResult, type Impact } from "./types";

/** Rank of an impact for sorting: 0 for the worst; results without an impact come last. */
export const impactRank = (impact: Impact | null): number => (impact === null ? IMPACTS.length : IMPACTS.indexOf(impact));

export const worseImpact = (one: Impact | null, other: Impact | null): Impact | null => (impactRank(one) <= impactRank(other) ? one : other);

/** Comparison by severity, the worst first. @param tie order of results with the same impact */
export const worstFirst =
  <Result extends { impact: Impact | null }>(tie: (one: Result, other: Result) => number) =>
  (one: Result, other: Result): number =>
    impactRank(one.impact) - impactRank(other.impact) || tie(one, other);

/** Order of the findings of a page: by impact, then by number of elements; equal findings keep a fixed order. */
export const worstFindingFirst = worstFirst<Pick<FindingResult, "ruleId" | "impact" | "elementCount">>(
  (one, other) => other.elementCount - one.elementCount || (one.ruleId < other.ruleId ? -1 : 1),
);

/** A count for each impact, with 0 everywhere. */
export const noImpacts = (): Record<Impact, number> => Object.fromEntries(IMPACTS.map((impact) => [impact, 0])) as Record<Impact, number>;

/** Number of results of each impact; results without an impact are not counted. */
export function countImpacts(results: readonly { impact: Impact | null }[]): Record<Impact, number> {
  const counts = noImpacts();
  for (const { impact } of results) if (impact) counts[impact] += 1;
  return counts;
}
