import type { Level, Standard } from "~/scan/types";
import type { PlanKey } from "./plans";

type Version = Standard["version"];

/** The version that every run is checked against, for all plans. */
export const CHECKED_VERSION: Version = "2.2";

/** Scans and reports that a plan includes. */
export interface PlanEntitlement {
  /** The version of WCAG that is shown in full; additions of later ones are shown by name and count. */
  fullVersion: Version;
  /** The highest level that may be checked. */
  level: Level;
  /** Reports show the name, the colour and the logo of the account instead of Rampe's. */
  ownCover: boolean;
}

/** Everything, for an installation that sells nothing. */
export const FULL_ENTITLEMENT: PlanEntitlement = { fullVersion: CHECKED_VERSION, level: "AAA", ownCover: true };

/** Entitlement of free scans: the free check, and trial scans of an account. */
export const TRIAL_ENTITLEMENT: PlanEntitlement = { fullVersion: CHECKED_VERSION, level: "AA", ownCover: false };

const ENTITLEMENTS: Record<PlanKey, PlanEntitlement> = {
  basic: { fullVersion: "2.1", level: "AA", ownCover: false },
  pro: { fullVersion: CHECKED_VERSION, level: "AA", ownCover: true },
  enterprise: FULL_ENTITLEMENT,
};

export const entitlementOfPlan = (plan: PlanKey): PlanEntitlement => ENTITLEMENTS[plan];

/** The one that includes most; undefined for none. */
export function highestEntitlement(entitlements: PlanEntitlement[]): PlanEntitlement | undefined {
  return entitlements.toSorted((a, b) => rank(b) - rank(a))[0];
}

interface Bought {
  plan: PlanKey;
  kind: "subscription" | "payment";
}

/** Does one purchase entitle to more than another for the same website: by its plan, else because it does not end by itself? */
export function givesMore(one: Bought, other: Bought): boolean {
  const more = rank(entitlementOfPlan(one.plan)) - rank(entitlementOfPlan(other.plan));
  return more > 0 || (more === 0 && one.kind === "subscription" && other.kind === "payment");
}

const rank = ({ fullVersion, level }: PlanEntitlement) => Number(fullVersion) * 10 + level.length;

/** A rule that no success criterion up to this version asks for. @param tags of axe-core */
export function isNewAfter(version: Version, tags: readonly string[]): boolean {
  return version === "2.1" && tags.some((tag) => /^wcag22a+$/.test(tag)) && !tags.some((tag) => /^wcag2(1)?a+$/.test(tag));
}
