import type { Level, Standard } from "~/scan/types";
import type { PlanKey } from "./plans";

type Version = Standard["version"];

/** The version that every run is checked against, for all plans. */
export const CHECKED_VERSION: Version = "2.2";

/** What a plan lets its holder check and read. */
export interface PlanScope {
  /** The version of WCAG that is shown in full; additions of later ones are shown by name and count. */
  inFull: Version;
  /** The highest level that may be checked. */
  level: Level;
}

/** The full scope, for an installation that sells nothing. */
export const FULL_SCOPE: PlanScope = { inFull: CHECKED_VERSION, level: "AAA" };

/** The scope of scans that are given away, as of the free check. */
export const TRIAL_SCOPE: PlanScope = { inFull: CHECKED_VERSION, level: "AA" };

const SCOPES: Record<PlanKey, PlanScope> = {
  basic: { inFull: "2.1", level: "AA" },
  pro: { inFull: CHECKED_VERSION, level: "AA" },
  enterprise: FULL_SCOPE,
};

export const scopeOfPlan = (plan: PlanKey): PlanScope => SCOPES[plan];

/** The scope that covers more. */
export function widest(scopes: PlanScope[]): PlanScope | undefined {
  return scopes.toSorted((a, b) => rank(b) - rank(a))[0];
}

interface Bought {
  plan: PlanKey;
  kind: "subscription" | "payment";
}

/** Does one purchase give more than another for the same website: by its plan, else because it does not end by itself? */
export function givesMore(one: Bought, other: Bought): boolean {
  const more = rank(scopeOfPlan(one.plan)) - rank(scopeOfPlan(other.plan));
  return more > 0 || (more === 0 && one.kind === "subscription" && other.kind === "payment");
}

const rank = ({ inFull, level }: PlanScope) => Number(inFull) * 10 + level.length;

/** A rule that no success criterion up to this version asks for. @param tags of axe-core */
export function isNewAfter(version: Version, tags: readonly string[]): boolean {
  return version === "2.1" && tags.some((tag) => /^wcag22a+$/.test(tag)) && !tags.some((tag) => /^wcag2(1)?a+$/.test(tag));
}
