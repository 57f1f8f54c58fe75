import type { Level, Standard } from "~/scan/types";

/** What a plan lets its holder check against: a version of WCAG, and levels up to this one. */
export interface PlanScope {
  version: Standard["version"];
  level: Level;
}

/** Everything there is: what an installation that sells nothing offers. */
export const FULL_SCOPE: PlanScope = { version: "2.2", level: "AAA" };

/** What scans that are given away are held against, as the free check. */
export const TRIAL_SCOPE: PlanScope = { version: "2.2", level: "AA" };

const SCOPES = { basic: { version: "2.1", level: "AA" }, pro: { version: "2.2", level: "AA" }, enterprise: FULL_SCOPE } as const;

/** By the name of the product that was bought; one that is not known gives what the smallest plan gives. */
export function scopeOfPlan(planName: string): PlanScope {
  const [key] = /basic|pro|enterprise/i.exec(planName) ?? ["basic"];
  return SCOPES[key.toLowerCase() as keyof typeof SCOPES];
}

/** The scope that covers more. */
export function widest(scopes: PlanScope[]): PlanScope | undefined {
  return scopes.toSorted((a, b) => rank(b) - rank(a))[0];
}

const rank = ({ version, level }: PlanScope) => Number(version) * 10 + level.length;
