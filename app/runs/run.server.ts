import type { Db, Trx } from "db/schema";
import { settleSlot } from "~/billing/websites/website-slot.server";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import type { Queue } from "~/platform/jobs/queue";
import { randomId } from "~/platform/crypto/tokens.server";
import { DAY_MS } from "~/platform/durations";
import { partyOfUser } from "~/platform/limits/parties.server";
import { hostWithoutWww } from "~/scan/host-without-www";
import type { Access, Standard } from "~/scan/types";
import { withoutAccepted } from "./accepted-sums.server";
import { accountLimits } from "./account-limits.server";
import { storedPaths } from "./excluded-paths.server";
import { addPage, dropOpenPages, dropPageFacts } from "./page.server";
import type { Run } from "./run";
import { storedMailWish, toRun } from "./run-row.server";
import { createRunWork } from "./run-work.server";
import { sealAccess, type AccessBox } from "./stored-access.server";

const ANONYMOUS_RETENTION_DAYS = 30;

export interface NewRun {
  /** Absolute address, normalized by `URL`. */
  url: string;
  scope: "page" | "site";
  standard: Standard;
  owner: string | null;
  /** Party for taking turns among scans without an owner (`parties.server.ts`); undefined: one shared party. */
  party?: string;
  /** Paid individually: other waiting scans do not limit it. */
  paid?: boolean;
  /** WCAG version of the full report; undefined for the version of the standard. */
  fullVersion?: Standard["version"];
  maxPages?: number | null;
  excludedPaths?: string[];
  waitMs?: number | null;
  waitFor?: string | null;
  /** Access data, stored encrypted until the run is over. */
  access?: Access | null;
  /** Mail to the owner when the run is over. False: declined, also for repeated runs. Undefined: not chosen. */
  mailWhenDone?: boolean;
  /** True if it counts against the free trial scans. */
  trial?: boolean;
}

/** Error: too little free space for new scans. */
export class NoDiskSpace extends Error {
  override name = "NoDiskSpace";
}

/** Error: the party already has the maximum number of waiting scans. */
export class TooManyWaiting extends Error {
  override name = "TooManyWaiting";
}

export interface RunsOptions {
  db: Db;
  /** Separate queues: the many pages of a site must not delay scans of one page. */
  queues: Record<Run["scope"], Pick<Queue, "enqueue" | "position" | "isHeldBack" | "waiting" | "cancel">>;
  /** Maximum waiting scans per account, or per client network of visitors; undefined: no limit. */
  mostWaiting?: number;
  box: AccessBox;
  /** Days until a user's run is deleted; an anonymous run is deleted after 30. */
  retentionDays: number;
  /** True if there is space for new scans. */
  hasSpace?: () => boolean;
  acceptances?: Pick<Acceptances, "ofRuns">;
  now?: () => number;
}

export type Runs = ReturnType<typeof createRuns>;

/** Runs from the request to the result. Functions with a `Trx` belong to the queue's transaction and use only that. */
export function createRuns({ db, queues, mostWaiting = Infinity, box, retentionDays, hasSpace = () => true, acceptances = createAcceptances({ db }), now = Date.now }: RunsOptions) {
  return { start, hasSpace, find, ofOwner, claim, queuePosition, isHeldBack, cancel, cancelAnyones, cancelAllOf, ...createRunWork({ db, box, now }) };

  /**
   * Creates a run. Atomic: the run and its job exist both or not at all.
   * @param together work in the same transaction; if it throws, the run is not started
   * @throws {TooManyWaiting} {NoDiskSpace}
   */
  async function start(request: NewRun, together?: (trx: Trx, id: string) => Promise<void>): Promise<Run> {
    const { url, scope, standard, owner, paid = false, fullVersion, maxPages = null, excludedPaths = [], waitMs = null, waitFor = null, access, mailWhenDone, trial = false } = request;
    const id = randomId();
    const at = now();
    const party = owner === null ? request.party : partyOfUser(owner);
    const days = owner === null ? ANONYMOUS_RETENTION_DAYS : retentionDays;
    if (!paid && !hasSpace()) throw new NoDiskSpace("there is too little free space for new scans");
    return db.transaction().execute(async (trx) => {
      await together?.(trx, id);
      if (!paid && party && (await waitingOf(trx, party)) >= (await mostWaitingOf(trx, owner))) throw new TooManyWaiting();
      const row = await trx
        .insertInto("run")
        .values({
          id,
          owner,
          url,
          site: hostWithoutWww(url),
          scope,
          standard_version: standard.version,
          standard_level: standard.level,
          full_version: fullVersion === undefined || fullVersion === standard.version ? null : fullVersion,
          status: "queued",
          created_at: at,
          expires_at: at + days * DAY_MS,
          max_pages: maxPages,
          left_out: storedPaths(excludedPaths),
          wait_ms: waitMs,
          wait_for: waitFor,
          access: access ? sealAccess(box, access) : null,
          mail_when_done: storedMailWish(mailWhenDone),
          trial: trial ? 1 : 0,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      // Only for a single page: the crawl finds the pages of a site.
      if (scope === "page") await addPage(trx, { runId: id, position: 0, url });
      // Lane: one scan per site and party. Parallel scans load the site just as much, and block the queue for others.
      const lane = scope === "site" && party ? `${party} ${row.site}` : undefined;
      await queues[scope].enqueue(trx, { runId: id, party, lane });
      return toRun(row);
    });
  }

  async function mostWaitingOf(trx: Trx, owner: string | null): Promise<number> {
    return (await accountLimits(trx, owner)).waiting ?? mostWaiting;
  }

  async function waitingOf(trx: Trx, party: string): Promise<number> {
    return (await queues.page.waiting(trx, party)) + (await queues.site.waiting(trx, party));
  }

  /**
   * A run that the viewer (a user's id, or null) may read; an anonymous run is open to every visitor with its id. A
   * claimed free check stays public for its original period, because its link may have been passed on.
   */
  async function find(id: string, viewer: string | null): Promise<Run | undefined> {
    const row = await db
      .selectFrom("run")
      .selectAll()
      .where("id", "=", id)
      .where("deleted_at", "is", null)
      .where((eb) =>
        eb.or([
          eb("owner", "is", null),
          eb("owner", "=", viewer),
          eb.and([eb("claimed_at", "is not", null), eb("created_at", ">", now() - ANONYMOUS_RETENTION_DAYS * DAY_MS)]),
        ]),
      )
      .executeTakeFirst();
    if (!row) return undefined;
    const isOthers = row.owner !== null && row.owner !== viewer;
    return isOthers ? { ...toRun(row), expiresAt: row.created_at + ANONYMOUS_RETENTION_DAYS * DAY_MS } : toRun(row);
  }

  /**
   * Makes a free check the buyer's run: for a buyer with its id, once, and only for a page of the website that was
   * bought.
   * @param url address of the website
   * @returns true also if it already belongs to this owner
   */
  async function claim(id: string, owner: string, url: string): Promise<boolean> {
    const at = now();
    return db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom("run")
        .select(["url", "owner"])
        .where("id", "=", id)
        .where("deleted_at", "is", null)
        .where("expires_at", ">", at)
        .where((eb) => eb.or([eb("owner", "is", null), eb("owner", "=", owner)]))
        .executeTakeFirst();
      if (!row || new URL(row.url).origin !== new URL(url).origin) return false;
      if (row.owner === owner) return true;
      await trx
        .updateTable("run")
        .set({ owner, claimed_at: at, expires_at: at + retentionDays * DAY_MS })
        .where("id", "=", id)
        .execute();
      return true;
    });
  }

  /** A user's own run without accepted elements; undefined for a run of another user, a deleted run or a missing run. */
  async function ofOwner(id: string, owner: string): Promise<Run | undefined> {
    const row = await db
      .selectFrom("run")
      .selectAll()
      .where("id", "=", id)
      .where("owner", "=", owner)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (!row) return undefined;
    const [run] = await withoutAccepted(acceptances, [toRun(row)]);
    return run;
  }

  /** Queue position of a waiting run, from 1; null if it does not wait. */
  async function queuePosition(id: string): Promise<number | null> {
    return (await queues.page.position(id)) ?? queues.site.position(id);
  }

  /** True if a run waits for another run of the same owner and site. */
  function isHeldBack(id: string): Promise<boolean> {
    return queues.site.isHeldBack(id);
  }

  /** Cancels a run; stored results stay. @returns false if it has ended, or belongs to another owner */
  function cancel(id: string, owner: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const own = await trx.selectFrom("run").select("id").where("id", "=", id).where("owner", "=", owner).executeTakeFirst();
      return own !== undefined && cancelAnyones(trx, id);
    });
  }

  /** Cancels a run of any account, or of none, for administrators. @returns false if it has ended */
  async function cancelAnyones(trx: Trx, id: string): Promise<boolean> {
    const row = await trx
      .updateTable("run")
      .set({ status: "canceled", finished_at: now(), access: null })
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .returning("scope")
      .executeTakeFirst();
    if (!row) return false;
    await queues[row.scope].cancel(trx, id);
    await dropOpenPages(trx, id);
    await dropPageFacts(trx, id);
    await trx.deleteFrom("known_address").where("run_id", "=", id).execute();
    await settleSlot(trx, id, now());
    return true;
  }

  /** Cancels all runs of a user. @returns ids of those that ran or waited */
  async function cancelAllOf(trx: Trx, owner: string): Promise<string[]> {
    const open = await trx.selectFrom("run").select("id").where("owner", "=", owner).where("status", "in", ["queued", "running"]).execute();
    const canceled: string[] = [];
    for (const { id } of open) if (await cancelAnyones(trx, id)) canceled.push(id);
    return canceled;
  }
}
