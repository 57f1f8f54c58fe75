import type { Selectable } from "kysely";
import type { ScheduleTable } from "db/tables/monitoring";
import { entitlementOfPlan, FULL_ENTITLEMENT, highestEntitlement } from "~/billing/plans/plan-entitlement";
import type { PurchaseModel } from "~/billing/purchase.server";
import { coversOrigin, roomOf } from "~/billing/websites/coverage";
import { DAY_MS } from "~/platform/durations";
import type { Level } from "~/scan/types";
import { isPlanPause, type PlanPause } from "./plan-pause";
import { nextTime, type Interval } from "./schedule-calendar";

/** Highest level of repeated scans for the website of a URL now; null if no subscription covers it. */
export type Cover = (url: string) => Level | null;

export interface ScheduleCoversOptions {
  purchases: Pick<PurchaseModel, "of">;
  /** Whether nothing is sold: every user may schedule runs. */
  open: boolean;
}

/** Coverage by a user's subscriptions; read each time, as they may have ended. */
export function createScheduleCovers({ purchases, open }: ScheduleCoversOptions) {
  return { of, hasSubscription };

  /** Coverage for any number of schedules of one owner. */
  async function of(owner: string): Promise<Cover> {
    if (open) return () => FULL_ENTITLEMENT.level;
    const entitling = (await purchases.of(owner)).filter(({ entitles }) => entitles);
    return (url) => {
      const covering = entitling.filter((purchase) => coversOrigin(purchase, url));
      if (!covering.some(({ kind }) => kind === "subscription")) return null;
      // A scan also moves its website to a purchase with room that includes its level.
      const withRoom = entitling.filter((purchase) => roomOf(purchase) > 0);
      return highestEntitlement([...covering, ...withRoom].map(({ plan }) => entitlementOfPlan(plan)))?.level ?? null;
    };
  }

  /** Whether the owner may repeat scans of any website. */
  async function hasSubscription(owner: string): Promise<boolean> {
    return open || (await purchases.of(owner)).some(({ kind, entitles }) => kind === "subscription" && entitles);
  }
}

/** Time of a schedule's next run, and reason if it is on hold. */
export interface Standing {
  /** Unix time in ms. */
  nextRunAt: number;
  /**
   * Reason why no runs start: no subscription covers the URL now, the plan does not include the level, or the stored credentials can no
   * longer be decrypted.
   */
  paused: PlanPause | "access" | null;
}

type Rhythm = { every: Interval } & Pick<Selectable<ScheduleTable>, "anchor_at" | "hour" | "next_run_at">;

/** Current state: the stored reason is from the last due time, and a plan may have ended, begun or changed since then. */
export function standingOf(row: Rhythm & Pick<Selectable<ScheduleTable>, "url" | "level" | "paused">, covers: Cover, now: number): Standing {
  const isOnHold = isPlanPause(row.paused);
  const paused = exclusionOf(row, covers) ?? (isOnHold ? null : row.paused);
  return { paused, nextRunAt: isOnHold ? timeAhead(row, now) : row.next_run_at };
}

/** Reason why the plan does not include a schedule now; null if it does. */
export function exclusionOf({ url, level }: Pick<Selectable<ScheduleTable>, "url" | "level">, covers: Cover): PlanPause | null {
  const highest = covers(url);
  if (highest === null) return "not_covered";
  return level.length > highest.length ? "level" : null;
}

/** More than the longest interval (a month): a later next time comes from a clock that was ahead. */
export const LONGEST_WAIT_MS = 33 * DAY_MS;

/** Next time in the future; times in the past are skipped. */
export function timeAhead({ anchor_at, every, hour, next_run_at }: Rhythm, now: number): number {
  const isAhead = next_run_at > now && next_run_at <= now + LONGEST_WAIT_MS;
  return isAhead ? next_run_at : nextTime(Math.min(anchor_at, now), every, now, hour);
}
