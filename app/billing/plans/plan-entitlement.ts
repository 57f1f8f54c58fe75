import type { Level, Standard } from "~/scan/types";
import type { PlanKey } from "./plans";

type Version = Standard["version"];

/** WCAG version of every run, for all plans. */
export const CHECKED_VERSION: Version = "2.2";

/** Extent of scans and reports in a plan. */
export interface PlanEntitlement {
  /** WCAG version with full results; for additions of later versions, only name and count are visible. */
  fullVersion: Version;
  /** Highest level for scans. */
  level: Level;
  /** Whether reports show the name, the colour and the logo of the account, in place of Rampe's. */
  ownCover: boolean;
}

/** All features, for an installation that sells nothing. */
export const FULL_ENTITLEMENT: PlanEntitlement = { fullVersion: CHECKED_VERSION, level: "AAA", ownCover: true };

/** Entitlement of free scans: the free check, and trial scans of an account. */
export const TRIAL_ENTITLEMENT: PlanEntitlement = { fullVersion: CHECKED_VERSION, level: "AA", ownCover: false };

const ENTITLEMENTS: Record<PlanKey, PlanEntitlement> = {
  basic: { fullVersion: "2.1", level: "AA", ownCover: false },
  pro: { fullVersion: CHECKED_VERSION, level: "AA", ownCover: true },
  enterprise: FULL_ENTITLEMENT,
};

export const entitlementOfPlan = (plan: PlanKey): PlanEntitlement => ENTITLEMENTS[plan];

/** Largest entitlement; undefined for none. */
export function highestEntitlement(entitlements: PlanEntitlement[]): PlanEntitlement | undefined {
  return entitlements.toSorted((a, b) => rank(b) - rank(a))[0];
}

interface Bought {
  plan: PlanKey;
  kind: "subscription" | "payment";
}

/** Whether one purchase entitles to more than another for the same website: by its plan, or because it does not end automatically. */
export function givesMore(one: Bought, other: Bought): boolean {
  const more = rank(entitlementOfPlan(one.plan)) - rank(entitlementOfPlan(other.plan));
  return more > 0 || (more === 0 && one.kind === "subscription" && other.kind === "payment");
}

const rank = ({ fullVersion, level }: PlanEntitlement) => Number(fullVersion) * 10 + level.length;

/** Whether a rule belongs to no success criterion up to this version. @param tags of axe-core */
export function isNewAfter(version: Version, tags: readonly string[]): boolean {
  return version === "2.1" && tags.some((tag) => /^wcag22a+$/.test(tag)) && !tags.some((tag) => /^wcag2(1)?a+$/.test(tag));
}
