import type { Level, Standard } from "~/scan/types";
import type { PlanKey } from "./plans";

/** What a plan lets its holder check against: a version of WCAG, and levels up to this one. */
export interface PlanScope {
  version: Standard["version"];
  level: Level;
}

/** Everything there is: what an installation that sells nothing offers. */
export const FULL_SCOPE: PlanScope = { version: "2.2", level: "AAA" };

/** What scans that are given away are held against, as the free check. */
export const TRIAL_SCOPE: PlanScope = { version: "2.2", level: "AA" };

const SCOPES: Record<PlanKey, PlanScope> = {
  basic: { version: "2.1", level: "AA" },
  pro: { version: "2.2", level: "AA" },
  enterprise: FULL_SCOPE,
};

export const scopeOfPlan = (plan: PlanKey): PlanScope => SCOPES[plan];

/** The scope that covers more. */
export function widest(scopes: PlanScope[]): PlanScope | undefined {
  return scopes.toSorted((a, b) => rank(b) - rank(a))[0];
}

const rank = ({ version, level }: PlanScope) => Number(version) * 10 + level.length;
