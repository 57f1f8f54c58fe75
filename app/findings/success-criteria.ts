import type { Category, Level, Standard } from "~/scan/types";

/** Success criteria of WCAG 2.2 by level. */
const LEVEL_A =
  "1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2";
const LEVEL_AA =
  "1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3";
const LEVEL_AAA =
  "1.2.6 1.2.7 1.2.8 1.2.9 1.3.6 1.4.6 1.4.7 1.4.8 1.4.9 2.1.3 2.2.3 2.2.4 2.2.5 2.2.6 2.3.2 2.3.3 2.4.8 2.4.9 2.4.10 2.4.12 2.4.13 2.5.5 2.5.6 3.1.3 3.1.4 3.1.5 3.1.6 3.2.5 3.3.5 3.3.6 3.3.9";
const NEW_IN_22 = "2.4.11 2.4.12 2.4.13 2.5.7 2.5.8 3.2.6 3.3.7 3.3.8 3.3.9";

export interface SuccessCriterion {
  /** Number such as `1.4.3`. */
  number: string;
  level: Level;
  /** The clause of EN 301 549 V3.2.1 for web pages; null if there is none (AAA, and criteria new in WCAG 2.2). */
  clause: string | null;
}

const newIn22 = new Set(NEW_IN_22.split(" "));
const listed = (numbers: string, level: Level) =>
  numbers.split(" ").map((number): SuccessCriterion => {
    return { number, level, clause: level === "AAA" || newIn22.has(number) ? null : `9.${number}` };
  });

/** All success criteria of WCAG 2.2, in order. Without 4.1.1: it counts as met since 2023, also in WCAG 2.1. */
const ALL = [...listed(LEVEL_A, "A"), ...listed(LEVEL_AA, "AA"), ...listed(LEVEL_AAA, "AAA")].sort((a, b) =>
  a.number.localeCompare(b.number, "en", { numeric: true }),
);

const clauses = new Map(ALL.map(({ number, clause }) => [number, clause]));

/** The clause of EN 301 549 for a success criterion; null if there is none. */
export const clauseOf = (number: string): string | null => clauses.get(number) ?? null;

/** The success criteria of a standard, in order. */
export function criteriaOfStandard({ version, level }: Standard): SuccessCriterion[] {
  return ALL.filter(
    (criterion) => criterion.level.length <= level.length && (version === "2.2" || !newIn22.has(criterion.number)),
  );
}

/** Results of an automatic check for a success criterion; the first matching state counts. */
export const CRITERION_STATES = ["failed", "accepted", "review", "unfinished", "nothing_found", "not_tested"] as const;
export type CriterionState = (typeof CRITERION_STATES)[number];

/**
 * @param categories categories in which rules of the criterion have a result
 * @param isAccepted whether it has violations that people accepted
 * @param isUnfinished whether a rule of the criterion did not finish on some page
 */
export function stateOfCriterion(categories: Set<Category>, { isAccepted = false, isUnfinished = false }: { isAccepted?: boolean; isUnfinished?: boolean } = {}): CriterionState {
  if (categories.has("violations")) return "failed";
  if (isAccepted) return "accepted";
  if (categories.has("incomplete")) return "review";
  if (isUnfinished) return "unfinished";
  // Inapplicable rules count as `nothing_found` too.
  return categories.size > 0 ? "nothing_found" : "not_tested";
}
