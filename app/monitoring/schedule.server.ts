import type { ExpressionBuilder, Selectable } from "kysely";
import type { Database } from "db/schema";
import type { ScheduleTable } from "db/tables/monitoring";
import { randomId } from "~/platform/crypto/tokens.server";
import { HOUR_MS, MINUTE_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import { readPaths, storedPaths } from "~/runs/excluded-paths.server";
import type { ScanRequests } from "~/runs/scan-request.server";
import { isOver, type Run } from "~/runs/run";
import type { Access } from "~/scan/types";
import type { Histories } from "./history.server";
import { PLAN_PAUSES, type PlanPause } from "./plan-pause";
import { createStoredAccess } from "./schedule-access.server";
import { nextTime, type Interval } from "./schedule-calendar";
import { createScheduleCovers, exclusionOf, LONGEST_WAIT_MS, standingOf, timeAhead, type Cover, type ScheduleCoversOptions, type Standing } from "./schedule-cover.server";
import { createScheduleMails, type ScheduleMailsOptions } from "./schedule-mails.server";

/** Maximum number of schedules per round; the others wait for the next round. */
const PER_ROUND = 50;
/** Maximum delay of a run after a pause; older missed times are skipped. */
const LATE_MS = HOUR_MS;
/** Lease: a process that claims a schedule and requests no run within this time has crashed. */
const CLAIM_MS = 5 * MINUTE_MS;

/** Schedule of a repeated run. */
export interface Schedule extends Standing {
  every: Interval;
  /** Hour of the day in the time zone of displayed times; null: the time of day at which it was set. */
  hour: number | null;
  /** Whether its owner gets mails about results. */
  mails: boolean;
  /** Whether credentials for a site that is not public are stored. */
  hasAccess: boolean;
}

/** Settings that the owner chooses. */
interface ScheduleChoice {
  every: Interval;
  hour?: number | null;
  mails: boolean;
  /** Replaces the stored credentials; null deletes them; undefined keeps them. */
  access?: Access | null;
}

export interface SchedulesOptions extends ScheduleMailsOptions, ScheduleCoversOptions {
  histories: Pick<Histories, "earlier" | "firstSince" | "compare">;
  scanRequests: Pick<ScanRequests, "submit">;
  now?: () => number;
  log?: EventLog;
}

type Row = Selectable<ScheduleTable>;
type RunOf = Pick<Run, "url" | "scope">;
/** Settings of a run, past or future. */
export type ScheduledRun = Pick<Run, "url" | "scope" | "standard" | "maxPages" | "excludedPaths" | "waitMs" | "waitFor">;

export type Schedules = ReturnType<typeof createSchedules>;

/** Stored schedule for display. */
export function scheduleOf(row: Pick<Row, "url" | "level" | "every" | "hour" | "anchor_at" | "next_run_at" | "mails" | "paused" | "access">, covers: Cover, now: number): Schedule {
  return { every: row.every, hour: row.hour, mails: row.mails === 1, hasAccess: row.access !== null, ...standingOf(row, covers, now) };
}

/** Schedules for repeated runs, and the mails to their owners about the results. */
export function createSchedules(options: SchedulesOptions) {
  const { db, histories, scanRequests, now = Date.now, log = () => {} } = options;
  const covers = createScheduleCovers(options);
  const storedAccess = createStoredAccess(options);
  const letters = createScheduleMails(options);
  const { unsubscribed, unsubscribe } = letters;
  return { of, accessOf: storedAccess.of, exclusionFor, set, forgetAccess, end, tick, unsubscribed, unsubscribe };

  async function of(owner: string, run: RunOf): Promise<Schedule | undefined> {
    const row = await rowOf(owner, run);
    return row && scheduleOf(row, await covers.of(owner), now());
  }

  function rowOf(owner: string, { url, scope }: RunOf): Promise<Row | undefined> {
    return db
      .selectFrom("schedule")
      .selectAll()
      .where("owner", "=", owner)
      .where("url", "=", url)
      .where("scope", "=", scope)
      .executeTakeFirst();
  }

  /** Reason why the owner's plans do not include repeated scans like this one; null if they do. */
  async function exclusionFor(owner: string, { url, standard }: Pick<ScheduledRun, "url" | "standard">): Promise<PlanPause | null> {
    return exclusionOf({ url, level: standard.level }, await covers.of(owner));
  }

  /**
   * Creates or changes a schedule, with the settings of the run.
   * @param run without `excludedPaths`, those of the schedule are kept
   */
  async function set(owner: string, run: Omit<ScheduledRun, "excludedPaths"> & Partial<ScheduledRun>, { every, hour = null, mails: wanted, access }: ScheduleChoice): Promise<void> {
    const at = now();
    const settings = {
      level: run.standard.level,
      max_pages: run.maxPages,
      ...(run.excludedPaths && { left_out: storedPaths(run.excludedPaths) }),
      wait_ms: run.waitMs,
      wait_for: run.waitFor,
      mails: wanted ? (1 as const) : (0 as const),
      ...(access !== undefined && { access: storedAccess.seal(access) }),
    };
    const rhythm = { every, hour, anchor_at: at, next_run_at: nextTime(at, every, at, hour), paused: null };
    await db.transaction().execute(async (trx) => {
      const known = await trx
        .selectFrom("schedule")
        .select(["id", "every", "hour", "anchor_at", "next_run_at", "paused", "access"])
        .where("owner", "=", owner)
        .where("url", "=", run.url)
        .where("scope", "=", run.scope)
        .executeTakeFirst();
      if (!known) {
        const which = { id: randomId(), owner, url: run.url, scope: run.scope, created_at: at };
        await trx.insertInto("schedule").values({ ...which, ...settings, ...rhythm }).execute();
        return;
      }
      const staysLockedOut = access === undefined && storedAccess.open(known) === undefined;
      const isGoingOn = known.paused !== "access";
      const keepsRhythm = isGoingOn && known.every === every && known.hour === hour;
      const sameRhythm = known.paused === null ? {} : { paused: null, next_run_at: timeAhead(known, at) };
      await trx
        .updateTable("schedule")
        .set({ ...settings, ...(keepsRhythm ? sameRhythm : rhythm), ...(staysLockedOut && { paused: "access" as const }) })
        .where("id", "=", known.id)
        .execute();
    });
  }

  /** Deletes the stored credentials, also if no plan includes the schedule any more. False if there is no schedule. */
  async function forgetAccess(owner: string, run: RunOf): Promise<boolean> {
    const row = await rowOf(owner, run);
    if (!row) return false;
    const paused = exclusionOf(row, await covers.of(owner));
    const unlocked = { paused, next_run_at: timeAhead(row, now()) };
    const changes = { access: null, ...(row.paused === "access" && unlocked) };
    const { numUpdatedRows } = await db.updateTable("schedule").set(changes).where("id", "=", row.id).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Ends a schedule. False if there is none. */
  async function end(owner: string, { url, scope }: RunOf): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("schedule")
      .where("owner", "=", owner)
      .where("url", "=", url)
      .where("scope", "=", scope)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** Starts due runs, and mails the results of finished ones. Safe for concurrent processes. */
  async function tick(): Promise<void> {
    for (const row of await awaiting()) await handle(row, settle);
    for (const row of await due()) await handle(row, startClaimed);
    // Last, as there may be many of them.
    for (const row of await dueOnHold()) await handle(row, startIfIncluded);
  }

  async function handle(row: Row, work: (row: Row) => Promise<void>): Promise<void> {
    // A failing schedule must not block the others.
    await work(row).catch((error: unknown) => log("schedule failed", { schedule: row.id, err: error }));
  }

  function due(): Promise<Row[]> {
    return dueRows().where("paused", "is", null).execute();
  }

  function dueOnHold(): Promise<Row[]> {
    return dueRows().where("paused", "in", PLAN_PAUSES).execute();
  }

  function dueRows() {
    const at = now();
    return db
      .selectFrom("schedule")
      .selectAll()
      .where("awaiting_since", "is", null)
      .where((eb) => eb.or([eb("next_run_at", "<=", at), eb("next_run_at", ">", at + LONGEST_WAIT_MS)]))
      .where("owner", "not in", disabledOwners)
      .orderBy("next_run_at")
      .limit(PER_ROUND);
  }

  async function startClaimed(row: Row): Promise<void> {
    const claimed = await claim(row, { awaiting_since: now() });
    if (claimed) await start(claimed);
  }

  /** Resumes a paused schedule at its next time after the plan includes it again. Its owner already knows about the pause. */
  async function startIfIncluded(row: Row): Promise<void> {
    const at = now();
    if (exclusionOf(row, await covers.of(row.owner)) !== null) return void (await claim(row, {}));
    const isLate = row.next_run_at < at - LATE_MS;
    const claimed = await claim(row, { paused: null, ...(!isLate && { awaiting_since: at }) });
    if (claimed && !isLate) await start(claimed);
  }

  /** Claims a due schedule; several missed times start only one run. Atomic: a process that does not get the row does nothing. */
  async function claim(row: Row, changes: { awaiting_since?: number; paused?: null }): Promise<Row | undefined> {
    return db
      .updateTable("schedule")
      .set({ next_run_at: timeAhead(row, now()), ...changes })
      .where("id", "=", row.id)
      .where("next_run_at", "=", row.next_run_at)
      .where("awaiting_since", "is", null)
      .where(isPausedBy(row.paused))
      .returningAll()
      .executeTakeFirst();
  }

  async function start(row: Row): Promise<void> {
    const { owner, url, scope, level } = row;
    const excluded = exclusionOf(row, await covers.of(owner));
    if (excluded) return pause(row, excluded);
    const access = storedAccess.open(row);
    // Without the credentials, the scan would check the sign-in page.
    if (access === undefined) return pause(row, "access");
    const waits = { waitMs: row.wait_ms, waitFor: row.wait_for };
    const submitted = await scanRequests.submit(owner, { url, scope, level, maxPages: row.max_pages, excludedPaths: readPaths(row.left_out), ...waits, access });
    // The schedule stays claimed; a retry follows some minutes later.
    if (submitted.kind === "refused" && ["waiting", "no_space", "unconfirmed"].includes(submitted.why)) return;
    if (submitted.kind === "refused") return pause(row, submitted.why === "level" ? "level" : "not_covered");
    log("schedule started a scan", { schedule: row.id, run: submitted.run.id });
  }

  async function pause(row: Row, why: NonNullable<Row["paused"]>): Promise<void> {
    const news = letters.newsOfPause(row, why);
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("schedule").set({ paused: why, awaiting_since: null }).where("id", "=", row.id).execute();
      if (news) await letters.post(trx, row, news);
    });
    log("schedule paused", { schedule: row.id, why });
  }

  async function awaiting(): Promise<Row[]> {
    return db.selectFrom("schedule").selectAll().where("awaiting_since", "is not", null).where("owner", "not in", disabledOwners).orderBy("awaiting_since").execute();
  }

  /** Continues a claimed schedule: starts the run again if the process crashed, mails the result if the run is over. */
  async function settle(row: Row): Promise<void> {
    const since = row.awaiting_since ?? 0;
    const run = await histories.firstSince(row.owner, row, since);
    if (!run) {
      const at = now();
      // A claim in the future was made before the clock was set back.
      const isFresh = since > at - CLAIM_MS && since <= at + CLAIM_MS;
      const claimed = isFresh ? undefined : await claimAgain(row, at);
      return claimed && start(claimed);
    }
    if (!isOver(run)) return;
    const news = run.isDeleted ? null : await letters.newsOf(row, run);
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("schedule")
        .set({ awaiting_since: null })
        .where("id", "=", row.id)
        .where("awaiting_since", "=", since)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n && news) await letters.post(trx, row, news);
    });
  }

  async function claimAgain(row: Row, at: number): Promise<Row | undefined> {
    return db
      .updateTable("schedule")
      .set({ awaiting_since: at, next_run_at: timeAhead(row, at) })
      .where("id", "=", row.id)
      .where("awaiting_since", "=", row.awaiting_since)
      .returningAll()
      .executeTakeFirst();
  }
}

const isPausedBy = (why: Row["paused"]) => (eb: ExpressionBuilder<Database, "schedule">) => (why === null ? eb("paused", "is", null) : eb("paused", "=", why));

/** Owners with a disabled account: their schedules wait until the account is in use again. */
const disabledOwners = (eb: ExpressionBuilder<Database, "schedule">) => eb.selectFrom("user").select("id").where("disabled_at", "is not", null);
