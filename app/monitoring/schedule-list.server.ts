import type { Db } from "db/schema";
import type { Level } from "~/scan/types";
import { CHECKED_VERSION } from "~/billing/plans/plan-entitlement";
import { createScheduleCovers, type ScheduleCoversOptions } from "./schedule-cover.server";
import { scheduleOf, type Schedule, type ScheduledRun } from "./schedule.server";

/** A schedule in its owner's list. */
export interface ListedSchedule extends Schedule {
  level: Level;
  id: string;
  url: string;
  scope: "page" | "site";
  /** The latest of its runs; null when all are deleted. */
  latestRun: string | null;
}

export type ScheduleLists = ReturnType<typeof createScheduleLists>;

export interface ScheduleListsOptions extends ScheduleCoversOptions {
  db: Db;
  now?: () => number;
}

/** All schedules of a user. */
export function createScheduleLists({ db, now = Date.now, ...options }: ScheduleListsOptions) {
  const covers = createScheduleCovers(options);
  return { list, hasAny, mayRepeat: covers.hasSubscription, runOf, end };

  /** Sorted by URL. */
  async function list(owner: string): Promise<ListedSchedule[]> {
    const rows = await db
      .selectFrom("schedule")
      .select(["id", "url", "scope", "level", "every", "hour", "anchor_at", "next_run_at", "mails", "paused", "access"])
      .select((eb) =>
        eb
          .selectFrom("run")
          .select("run.id")
          .whereRef("run.owner", "=", "schedule.owner")
          .whereRef("run.url", "=", "schedule.url")
          .whereRef("run.scope", "=", "schedule.scope")
          .where("run.deleted_at", "is", null)
          .orderBy("run.created_at", "desc")
          .limit(1)
          .as("latestRun"),
      )
      .where("owner", "=", owner)
      .orderBy("url")
      .orderBy("scope")
      .execute();
    const cover = await covers.of(owner);
    return rows.map((row) => ({ id: row.id, url: row.url, scope: row.scope, level: row.level, latestRun: row.latestRun, ...scheduleOf(row, cover, now()) }));
  }

  async function hasAny(owner: string): Promise<boolean> {
    return (await db.selectFrom("schedule").select("id").where("owner", "=", owner).limit(1).executeTakeFirst()) !== undefined;
  }

  /** What a schedule repeats; undefined for a schedule that does not exist or belongs to another user. */
  async function runOf(owner: string, id: string): Promise<ScheduledRun | undefined> {
    const row = await db.selectFrom("schedule").selectAll().where("owner", "=", owner).where("id", "=", id).executeTakeFirst();
    if (!row) return undefined;
    const { url, scope, level, max_pages: maxPages, left_out, wait_ms: waitMs, wait_for: waitFor } = row;
    const excludedPaths = left_out === null ? [] : (JSON.parse(left_out) as string[]);
    return { url, scope, standard: { version: CHECKED_VERSION, level }, maxPages, excludedPaths, waitMs, waitFor };
  }

  /** False for a schedule that does not exist or belongs to another user. */
  async function end(owner: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("schedule")
      .where("owner", "=", owner)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
