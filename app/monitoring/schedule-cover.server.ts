import type { Selectable } from "kysely";
import type { ScheduleTable } from "db/schema";
import type { PurchaseModel } from "~/billing/purchase.server";
import { nextTime, type Interval } from "./schedule-calendar";

/** Does a subscription cover the website of a URL now? */
export type Cover = (url: string) => boolean;

export interface ScheduleCoversOptions {
  purchases: Pick<PurchaseModel, "of">;
  /** Nothing is sold: every user may schedule runs. */
  open: boolean;
}

/** What a user's subscriptions cover; read each time, as they may have ended. */
export function createScheduleCovers({ purchases, open }: ScheduleCoversOptions) {
  return { of };

  /** For any number of schedules of one owner. */
  async function of(owner: string): Promise<Cover> {
    if (open) return () => true;
    const subscriptions = (await purchases.of(owner)).filter(({ kind, entitles }) => kind === "subscription" && entitles);
    const origins = new Set(subscriptions.flatMap(({ urls }) => urls.filter(({ covered }) => covered).map(({ origin }) => origin)));
    return (url) => origins.has(new URL(url).origin);
  }
}

/** When a schedule starts its next run, and what keeps it on hold. */
export interface Standing {
  /** Unix time in ms. */
  nextRunAt: number;
  /**
   * Why no runs start: no subscription covers the URL now, the plan does not include the level, or the stored access can no longer
   * be read.
   */
  paused: "not_covered" | "level" | "access" | null;
}

type Rhythm = { every: Interval } & Pick<Selectable<ScheduleTable>, "anchor_at" | "hour" | "next_run_at">;

/** As it is now: the stored reason is from the last due time, and a plan may have ended or begun since then. */
export function standingOf(row: Rhythm & Pick<Selectable<ScheduleTable>, "url" | "paused">, covers: Cover, now: number): Standing {
  const isOnHold = row.paused === "not_covered";
  const paused = covers(row.url) ? (isOnHold ? null : row.paused) : "not_covered";
  return { paused, nextRunAt: isOnHold ? timeAhead(row, now) : row.next_run_at };
}

/** The next time, without those that are over. */
export function timeAhead({ anchor_at, every, hour, next_run_at }: Rhythm, now: number): number {
  return next_run_at > now ? next_run_at : nextTime(anchor_at, every, now, hour);
}
