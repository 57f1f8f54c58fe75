import type { Db } from "db/schema";
import type { Level } from "~/scan/types";
import { CHECKED_VERSION } from "~/billing/plans/plan-entitlement";
import { readPaths } from "~/runs/excluded-paths.server";
import { createScheduleCovers, type ScheduleCoversOptions } from "./schedule-cover.server";
import { scheduleOf, type Schedule, type ScheduledRun } from "./schedule.server";

/** A schedule in its owner's list. */
export interface ListedSchedule extends Schedule {
  level: Level;
  id: string;
  url: string;
  scope: "page" | "site";
  /** Latest run of the schedule; null if all are deleted. */
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
  return { list, find, count, hasAny, mayRepeat: covers.hasSubscription, runOf, end };

  /** Schedules, sorted by URL. @param origin only of this website */
  async function list(owner: string, { origin }: { origin?: string } = {}): Promise<ListedSchedule[]> {
    let wanted = listed(owner);
    // Range of URLs, for the index: `0` follows `/`.
    if (origin !== undefined) wanted = wanted.where("url", ">=", `${origin}/`).where("url", "<", `${origin}0`);
    const rows = await wanted.orderBy("url").orderBy("scope").execute();
    return withStanding(owner, rows);
  }

  /** Schedule of a URL and scope; undefined if there is none. */
  async function find(owner: string, { url, scope }: Pick<ListedSchedule, "url" | "scope">): Promise<ListedSchedule | undefined> {
    const [schedule] = await withStanding(owner, await listed(owner).where("url", "=", url).where("scope", "=", scope).execute());
    return schedule;
  }

  function listed(owner: string) {
    return db
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
      .where("owner", "=", owner);
  }

  async function withStanding(owner: string, rows: Awaited<ReturnType<ReturnType<typeof listed>["execute"]>>): Promise<ListedSchedule[]> {
    if (rows.length === 0) return [];
    const cover = await covers.of(owner);
    return rows.map((row) => ({ id: row.id, url: row.url, scope: row.scope, level: row.level, latestRun: row.latestRun, ...scheduleOf(row, cover, now()) }));
  }

  async function count(owner: string): Promise<number> {
    const all = await db.selectFrom("schedule").select((eb) => eb.fn.countAll<number>().as("count")).where("owner", "=", owner).executeTakeFirstOrThrow();
    return all.count;
  }

  async function hasAny(owner: string): Promise<boolean> {
    return (await db.selectFrom("schedule").select("id").where("owner", "=", owner).limit(1).executeTakeFirst()) !== undefined;
  }

  /** Scan of a schedule; undefined for a schedule that does not exist or belongs to another user. */
  async function runOf(owner: string, id: string): Promise<ScheduledRun | undefined> {
    const row = await db.selectFrom("schedule").selectAll().where("owner", "=", owner).where("id", "=", id).executeTakeFirst();
    if (!row) return undefined;
    const { url, scope, level, max_pages: maxPages, left_out, wait_ms: waitMs, wait_for: waitFor } = row;
    return { url, scope, standard: { version: CHECKED_VERSION, level }, maxPages, excludedPaths: readPaths(left_out), waitMs, waitFor };
  }

  /** Ends a schedule. False if it does not exist or belongs to another user. */
  async function end(owner: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("schedule")
      .where("owner", "=", owner)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
