import type { Selectable } from "kysely";
import type { Db, ScheduleTable, Trx } from "db/schema";
import type { Locale } from "~/platform/i18n/i18n";
import { titleOf } from "~/findings/rules/titles.server";
import { nextTime, type Interval } from "./schedule-calendar";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { randomId } from "~/platform/crypto/tokens.server";
import type { Letter, LetterKind } from "~/mail/mail";
import type { RunComparison } from "./comparison.server";
import type { Histories } from "./history.server";
import type { Mails } from "~/mail/outbox.server";
import type { ScanRequests } from "~/runs/scan-request.server";
import type { PurchaseModel } from "~/billing/purchase.server";
import { isOver, type Run } from "~/runs/run.server";
import type { Access } from "~/scan/types";
import { toUser, type User } from "~/accounts/user.server";

/** Maximum of schedules in one round; the others wait for the next round. */
const PER_ROUND = 50;
/** Lease: a process that claims a schedule and requests no run within this time has crashed. */
const CLAIM_MS = 5 * 60_000;
/** Maximum of rules in a mail. */
const NAMED_RULES = 3;
const UNSUBSCRIBE = "unsubscribe";
const ACCESS = "schedule access";

/** A run that is repeated. */
export interface Schedule {
  every: Interval;
  /** Of the day, in the time zone of displayed times; null: at the time of day at which it was set. */
  hour: number | null;
  /** Unix time in ms. */
  nextRunAt: number;
  /** Its owner gets mails about results. */
  mails: boolean;
  /**
   * Why no runs start any more: the URL is not covered by a subscription, the plan does not include the level, or the stored access
   * can no longer be read.
   */
  paused: "not_covered" | "level" | "access" | null;
  /** Whether access data of a site that is not public is stored. */
  hasAccess: boolean;
}

/** What its owner chooses. */
interface ScheduleChoice {
  every: Interval;
  hour?: number | null;
  mails: boolean;
  /** Replaces the stored access, or deletes it with null; without it, that stays. */
  access?: Access | null;
}

export interface SchedulesOptions {
  db: Db;
  histories: Pick<Histories, "earlier" | "firstSince" | "compare">;
  scanRequests: Pick<ScanRequests, "submit">;
  purchases: Pick<PurchaseModel, "of">;
  /** Nothing is sold: every user may schedule runs. */
  open: boolean;
  mails: Pick<Mails, "post">;
  /** Writes the text of a mail. */
  write: (kind: LetterKind, locale: Locale, values: Record<string, string>) => Letter;
  box: Pick<SecretBox, "seal" | "open">;
  /** Public origin, for the links in mails. */
  baseUrl: string;
  now?: () => number;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

type Row = Selectable<ScheduleTable>;
type RunOf = Pick<Run, "url" | "scope">;
/** A run, or one that is still to come. */
export type ScheduledRun = Pick<Run, "url" | "scope" | "standard" | "maxPages" | "excludedPaths" | "waitMs" | "waitFor">;

export type Schedules = ReturnType<typeof createSchedules>;

/** Schedules for repeated runs, and the mails to their owners about the results. */
export function createSchedules(options: SchedulesOptions) {
  const { db, histories, scanRequests, purchases, open, mails, write, box, baseUrl, now = Date.now, log = () => {} } = options;
  return { of, accessOf, isEntitled, set, forgetAccess, end, tick, unsubscribed, unsubscribe };

  async function of(owner: string, run: RunOf): Promise<Schedule | undefined> {
    const row = await rowOf(owner, run);
    return row && { every: row.every, hour: row.hour, nextRunAt: row.next_run_at, mails: row.mails === 1, paused: row.paused, hasAccess: row.access !== null };
  }

  /** The stored access of a schedule; null if there is none, undefined if it can no longer be read. */
  async function accessOf(owner: string, run: RunOf): Promise<Access | null | undefined> {
    const row = await rowOf(owner, run);
    return row ? openAccess(row) : null;
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

  /** Undefined if the encryption key is lost. */
  function openAccess({ access }: Pick<Row, "access">): Access | null | undefined {
    if (access === null) return null;
    const text = box.open(access, ACCESS);
    return text === null ? undefined : (JSON.parse(text) as Access);
  }

  /** Whether a subscription covers the URL; checked each time, as it may have ended. */
  async function isEntitled(owner: string, { url }: Pick<Run, "url">): Promise<boolean> {
    if (open) return true;
    const { origin } = new URL(url);
    return (await purchases.of(owner)).some(
      ({ kind, entitles, urls }) => kind === "subscription" && entitles && urls.some((each) => each.covered && each.origin === origin),
    );
  }

  /**
   * Creates or changes a schedule, with the settings of the run.
   * @param run without `excludedPaths`, those of the schedule stay
   */
  async function set(owner: string, run: Omit<ScheduledRun, "excludedPaths"> & Partial<ScheduledRun>, { every, hour = null, mails: wanted, access }: ScheduleChoice): Promise<void> {
    const at = now();
    const settings = {
      level: run.standard.level,
      max_pages: run.maxPages,
      ...(run.excludedPaths && { left_out: run.excludedPaths.length > 0 ? JSON.stringify(run.excludedPaths) : null }),
      wait_ms: run.waitMs,
      wait_for: run.waitFor,
      mails: wanted ? (1 as const) : (0 as const),
      ...(access !== undefined && { access: access && box.seal(JSON.stringify(access), ACCESS) }),
    };
    const rhythm = { every, hour, anchor_at: at, next_run_at: nextTime(at, every, at, hour), paused: null };
    await db.transaction().execute(async (trx) => {
      const known = await trx
        .selectFrom("schedule")
        .select(["id", "every", "hour", "paused", "access"])
        .where("owner", "=", owner)
        .where("url", "=", run.url)
        .where("scope", "=", run.scope)
        .executeTakeFirst();
      if (!known) {
        const which = { id: randomId(), owner, url: run.url, scope: run.scope, created_at: at };
        await trx.insertInto("schedule").values({ ...which, ...settings, ...rhythm }).execute();
        return;
      }
      const staysLockedOut = access === undefined && openAccess(known) === undefined;
      const keepsRhythm = known.every === every && known.hour === hour && known.paused === null;
      await trx
        .updateTable("schedule")
        .set({ ...settings, ...(keepsRhythm ? {} : rhythm), ...(staysLockedOut && { paused: "access" as const }) })
        .where("id", "=", known.id)
        .execute();
    });
  }

  /** Deletes the stored access, also when no plan covers the schedule any more. */
  async function forgetAccess(owner: string, run: RunOf): Promise<void> {
    const row = await rowOf(owner, run);
    if (!row) return;
    const { anchor_at, every, hour } = row;
    const goesOn = { paused: null, next_run_at: nextTime(anchor_at, every, now(), hour) };
    const unlocked = (await isEntitled(owner, row)) ? goesOn : { paused: "not_covered" as const };
    await db.updateTable("schedule").set({ access: null, ...(row.paused === "access" && unlocked) }).where("id", "=", row.id).execute();
  }

  async function end(owner: string, { url, scope }: RunOf): Promise<void> {
    await db
      .deleteFrom("schedule")
      .where("owner", "=", owner)
      .where("url", "=", url)
      .where("scope", "=", scope)
      .execute();
  }

  /** Starts due runs, and mails the results of finished ones. Safe in any number of processes at the same time. */
  async function tick(): Promise<void> {
    for (const row of await awaiting()) await handle(row, settle);
    for (const row of await due()) await handle(row, startClaimed);
  }

  async function handle(row: Row, work: (row: Row) => Promise<void>): Promise<void> {
    // A failing schedule must not block the others.
    await work(row).catch((error: unknown) => log("schedule.failed", { schedule: row.id, err: error }));
  }

  async function due(): Promise<Row[]> {
    return db
      .selectFrom("schedule")
      .selectAll()
      .where("paused", "is", null)
      .where("awaiting_since", "is", null)
      .where("next_run_at", "<=", now())
      .orderBy("next_run_at")
      .limit(PER_ROUND)
      .execute();
  }

  /** Several missed times start only one run. Atomic claim: a process that does not get the row does nothing. */
  async function startClaimed(row: Row): Promise<void> {
    const at = now();
    const claimed = await db
      .updateTable("schedule")
      .set({ next_run_at: nextTime(row.anchor_at, row.every, at, row.hour), awaiting_since: at })
      .where("id", "=", row.id)
      .where("next_run_at", "=", row.next_run_at)
      .where("awaiting_since", "is", null)
      .where("paused", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (claimed) await start(claimed);
  }

  async function start(row: Row): Promise<void> {
    const { owner, url, scope, level } = row;
    if (!(await isEntitled(owner, row))) return pause(row, "not_covered");
    const access = openAccess(row);
    // Without it, the page that asks for the password would be checked.
    if (access === undefined) return pause(row, "access");
    const excludedPaths = row.left_out === null ? [] : (JSON.parse(row.left_out) as string[]);
    const waits = { waitMs: row.wait_ms, waitFor: row.wait_for };
    const submitted = await scanRequests.submit(owner, { url, scope, level, maxPages: row.max_pages, excludedPaths, ...waits, access });
    // The schedule stays claimed; a retry follows some minutes later.
    if (submitted.kind === "refused" && (submitted.why === "waiting" || submitted.why === "no_space")) return;
    if (submitted.kind === "refused") return pause(row, submitted.why === "level" ? "level" : "not_covered");
    log("schedule.started", { schedule: row.id, run: submitted.run.id });
  }

  async function pause(row: Row, why: NonNullable<Row["paused"]>): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("schedule").set({ paused: why, awaiting_since: null }).where("id", "=", row.id).execute();
      const owner = await recipient(trx, row.owner);
      if (owner && row.mails === 1) await post(trx, row, owner, ...letterOfPause(row, why));
    });
    log("schedule.paused", { schedule: row.id, why });
  }

  function letterOfPause({ id }: Row, why: NonNullable<Row["paused"]>): [LetterKind, Record<string, string>] {
    return why === "access" ? ["schedule_locked_out", { link: `${baseUrl}/runs/schedules/${id}` }] : ["schedule_paused", { link: `${baseUrl}/profile/urls` }];
  }

  async function awaiting(): Promise<Row[]> {
    return db.selectFrom("schedule").selectAll().where("awaiting_since", "is not", null).execute();
  }

  /** Continues a claimed schedule: starts the run again if the process crashed, mails the result if the run is over. */
  async function settle(row: Row): Promise<void> {
    const since = row.awaiting_since ?? 0;
    const run = await histories.firstSince(row.owner, row, since);
    if (!run) {
      const at = now();
      const claimed = since > at - CLAIM_MS ? undefined : await claimAgain(row, at);
      return claimed && start(claimed);
    }
    if (!isOver(run)) return;
    const news = await newsOf(row, run);
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("schedule")
        .set({ awaiting_since: null })
        .where("id", "=", row.id)
        .where("awaiting_since", "=", since)
        .executeTakeFirstOrThrow();
      const owner = await recipient(trx, row.owner);
      if (numUpdatedRows > 0n && news && owner) await post(trx, row, owner, news.kind, news.values(owner.locale));
    });
  }

  async function claimAgain(row: Row, at: number): Promise<Row | undefined> {
    return db
      .updateTable("schedule")
      .set({ awaiting_since: at })
      .where("id", "=", row.id)
      .where("awaiting_since", "=", row.awaiting_since)
      .returningAll()
      .executeTakeFirst();
  }

  /** The mail about a run: new violations, or no page could be checked. Null when there is nothing to report. */
  async function newsOf(row: Row, run: Run): Promise<{ kind: LetterKind; values: (locale: Locale) => Record<string, string> } | null> {
    if (row.mails === 0 || run.status === "canceled") return null;
    if (run.stats.pages === run.stats.failedPages) return { kind: "schedule_failed", values: () => ({ link: `${baseUrl}/run/${run.id}` }) };
    const [before] = await histories.earlier(row.owner, run);
    if (!before) return null;
    const comparison = await histories.compare(before, run);
    if (comparison.totals.new === 0) return null;
    return {
      kind: "schedule_worse",
      values: (locale) => ({
        link: `${baseUrl}/run/${run.id}/changes`,
        ...numbersOf(comparison, locale),
        rules: newRules(comparison, locale),
      }),
    };
  }

  async function post(trx: Trx, row: Row, { email, locale }: User, kind: LetterKind, values: Record<string, string>): Promise<void> {
    const unsubscribeLink = `${baseUrl}/unsubscribe/${box.seal(row.id, UNSUBSCRIBE)}`;
    const letter = write(kind, locale, { address: row.url, unsubscribe: unsubscribeLink, ...values });
    await mails.post(trx, { ...letter, to: email, unsubscribe: unsubscribeLink });
  }

  /** The schedule behind a mail's unsubscribe link; null for an invalid link or a schedule that has ended. */
  async function unsubscribed(token: string): Promise<{ url: string; mails: boolean; locale: Locale } | null> {
    const id = box.open(token, UNSUBSCRIBE);
    if (id === null) return null;
    const row = await db
      .selectFrom("schedule")
      .innerJoin("user", "user.id", "schedule.owner")
      .select(["schedule.url", "schedule.mails", "user.locale"])
      .where("schedule.id", "=", id)
      .executeTakeFirst();
    return row ? { url: row.url, mails: row.mails === 1, locale: row.locale } : null;
  }

  /** Ends the mails of the schedule behind a link; its runs go on. */
  async function unsubscribe(token: string): Promise<boolean> {
    const id = box.open(token, UNSUBSCRIBE);
    if (id === null) return false;
    const { numUpdatedRows } = await db.updateTable("schedule").set({ mails: 0 }).where("id", "=", id).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

/** Null for an unconfirmed address: another person may have entered it. */
async function recipient(trx: Trx, userId: string): Promise<User | null> {
  const row = await trx.selectFrom("user").selectAll().where("id", "=", userId).executeTakeFirst();
  return row && row.email_verified === 1 ? toUser(row) : null;
}

/** Numbers of rules with new elements, of new elements, of pages that could not be checked, and of all pages. */
function numbersOf({ rules, totals, now }: RunComparison, locale: Locale): Record<string, string> {
  const { format } = new Intl.NumberFormat(locale);
  return {
    violated: format(rules.filter(({ counts }) => counts.new > 0).length),
    count: format(totals.new),
    failed: format(now.stats.failedPages),
    pages: format(now.stats.pages),
  };
}

function newRules({ rules }: RunComparison, locale: Locale): string {
  const names = rules.filter(({ counts }) => counts.new > 0).map((rule) => titleOf(rule, "violations", locale).text);
  const more = names.length > NAMED_RULES ? "; …" : "";
  return `${names.slice(0, NAMED_RULES).join("; ")}${more}`;
}
