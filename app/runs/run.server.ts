import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db, RunStatus, RunTable, Trx } from "db/schema";
import { partyOfUser } from "~/platform/limits/parties.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { Queue } from "~/platform/jobs/queue";
import type { Access, Category, EngineVersion, Impact, PageResult, Reason, Standard } from "~/scan/types";
import type { CrawlFacts } from "~/scan/crawl/facts";
import type { EvidenceState } from "~/findings/evidence-state";
import {
  addPage,
  beginNextPage,
  dropOpenPages,
  dropPageFacts,
  failOpenPages,
  hasOpenPages,
  reasonOfFirstPage,
  requeuePages,
} from "./page.server";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import { withoutAccepted } from "./accepted-sums.server";
import { addResult, enginesOf, ruleIds } from "./run-sums.server";
import { settleSlot } from "~/billing/websites/website-slot.server";

const ANONYMOUS_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
const ACCESS = "run access";

/** A request to check a URL. Times are Unix time in ms. */
export interface Run {
  /** Unguessable: the link alone opens an anonymous run. */
  id: string;
  /** The user's id; null when a visitor started it. */
  owner: string | null;
  url: string;
  scope: "page" | "site";
  standard: Standard;
  /** The WCAG version that is reported in full; additions of later versions may be withheld (`app/reports/report-entitlement.server.ts`). */
  fullVersion: Standard["version"];
  status: RunStatus;
  /** Why a failed run failed. */
  reason: Reason | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
  /** Time of the claim, if it was a free check before; null otherwise. */
  claimedAt: number | null;
  /** Known once a page has been finished. */
  /** All that took part, the latest first; empty before the first page is finished. */
  engines: EngineVersion[];
  /** Pages with an outcome, and known pages that will get one. */
  knownPages: number;
  /** The most pages to check; null for as many as this installation allows. */
  maxPages: number | null;
  /** Prefixes of paths that are not visited. */
  excludedPaths: string[];
  /** Requested wait before the analysis of each page, in ms, and the selector to wait for. */
  waitMs: number | null;
  waitFor: string | null;
  /** Facts about a whole site besides its pages; null for a single page, and before the first crawled page. */
  crawl: CrawlFacts | null;
  /** Stored evidence (elements): complete, without pictures and passes, or deleted. */
  evidence: EvidenceState;
  stats: RunStats;
}

/** Sums over the finished pages of a run; a category counts findings, which on one page is the number of rules. */
interface RunStats extends Record<Category, number> {
  /** Finished pages, including those that could not be checked. */
  pages: number;
  failedPages: number;
  /** Pages that were checked in part. */
  partlyPages: number;
  /** Rules that are violated on at least one page, each counted once. */
  violatedRules: number;
  /** Elements that violate a rule. */
  elements: number;
  /** Elements that people accepted: the other numbers are without them. */
  accepted: number;
  /** Violated rules by impact. */
  impacts: Record<Impact, number>;
}

/** The run has ended; true also for a missing or deleted run. */
export function isOver(run: Pick<Run, "status"> | undefined): boolean {
  return run?.status !== "queued" && run?.status !== "running";
}

export interface NewRun {
  /** Absolute and normalised, as `URL` writes it. */
  url: string;
  scope: "page" | "site";
  standard: Standard;
  owner: string | null;
  /** Party for taking turns among scans without an owner (`parties.server.ts`); undefined: one shared party. */
  party?: string;
  /** Paid individually: not refused because of other waiting scans. */
  paid?: boolean;
  /** Undefined: the version of the standard. */
  fullVersion?: Standard["version"];
  maxPages?: number | null;
  excludedPaths?: string[];
  waitMs?: number | null;
  waitFor?: string | null;
  /** Kept encrypted until the run is over. */
  access?: Access | null;
  /** Mail to the owner when the run is over. False: declined, also for repeated runs. Undefined: not chosen. */
  mailWhenDone?: boolean;
  /** Counts against the free trial scans. */
  trial?: boolean;
}

/** The input of a check. */
export interface RunRequest {
  url: string;
  standard: Standard;
  maxPages?: number;
  /** The most pages of a site for this account, instead of the limit of the installation. */
  accountMaxPages?: number;
  excludedPaths: string[];
  waitMs?: number;
  waitFor?: string;
  access?: Access & { origin: string };
  /** Take pictures of elements; few for a free check. */
  pictures: true | "few";
  /** As in `PageRequest`: for runs of Pro and Enterprise, and where nothing is sold. */
  advanced: boolean;
  /** First start of the run; Unix time in ms. */
  startedAt: number;
}

/** There is too little free space for new scans. */
export class NoDiskSpace extends Error {
  override name = "NoDiskSpace";
}

/** The party already has the maximum number of waiting scans. */
export class TooManyWaiting extends Error {
  override name = "TooManyWaiting";
}

export interface RunsOptions {
  db: Db;
  /** Separate queues: the many pages of a site must not delay scans of one page. */
  queues: Record<Run["scope"], Pick<Queue, "enqueue" | "position" | "isHeldBack" | "waiting" | "cancel">>;
  /** Maximum waiting scans per account, or per client network of visitors; undefined: no limit. */
  mostWaiting?: number;
  /** Encrypts the access data of sites that are not public. */
  box: Pick<SecretBox, "seal" | "open">;
  /** Days until the run of a user is deleted; an anonymous run is deleted after 30. */
  retentionDays: number;
  /** Is there space for new scans? */
  hasSpace?: () => boolean;
  acceptances?: Pick<Acceptances, "ofRuns">;
  now?: () => number;
}

export type Runs = ReturnType<typeof createRuns>;

/** Runs from the request to the result. Functions with a `Trx` are part of the queue's transaction and use only that. */
export function createRuns({ db, queues, mostWaiting = Infinity, box, retentionDays, hasSpace = () => true, acceptances = createAcceptances({ db }), now = Date.now }: RunsOptions) {
  return { start, hasSpace, find, ofOwner, claim, mayWait, queuePosition, isHeldBack, cancel, cancelAnyones, begin, resume, finish, conclude, requeue, fail };

  /**
   * Creates a run. Atomic: the run and its job exist both or not at all.
   * @param together done in the same transaction; if it throws, the run is not started
   * @throws {TooManyWaiting} {NoDiskSpace}
   */
  function start(request: NewRun, together?: (trx: Trx, id: string) => Promise<void>): Promise<Run> {
    const { url, scope, standard, owner, paid = false, fullVersion, maxPages = null, excludedPaths = [], waitMs = null, waitFor = null, access, mailWhenDone, trial = false } = request;
    const id = randomBytes(16).toString("base64url");
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
          site: siteOf(url),
          scope,
          standard_version: standard.version,
          standard_level: standard.level,
          full_version: fullVersion === undefined || fullVersion === standard.version ? null : fullVersion,
          status: "queued",
          created_at: at,
          expires_at: at + days * DAY_MS,
          max_pages: maxPages,
          left_out: excludedPaths.length > 0 ? JSON.stringify(excludedPaths) : null,
          wait_ms: waitMs,
          wait_for: waitFor,
          access: access ? box.seal(JSON.stringify(access), ACCESS) : null,
          mail_when_done: storedMailWish(mailWhenDone),
          trial: trial ? 1 : 0,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      // The crawl finds the pages of a site.
      if (scope === "page") await addPage(trx, { runId: id, position: 0, url });
      // One scan per site and party: parallel ones load the site no less, and occupy the queue of others.
      const lane = scope === "site" && party ? `${party} ${row.site}` : undefined;
      await queues[scope].enqueue(trx, { runId: id, party, lane });
      return toRun(row);
    });
  }

  /** May this owner have one more waiting scan? */
  function mayWait(owner: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => (await waitingOf(trx, partyOfUser(owner))) < (await mostWaitingOf(trx, owner)));
  }

  async function mostWaitingOf(trx: Trx, owner: string | null): Promise<number> {
    const row = await trx.selectFrom("user").select("most_waiting").where("id", "=", owner).executeTakeFirst();
    return row?.most_waiting ?? mostWaiting;
  }

  async function waitingOf(trx: Trx, party: string): Promise<number> {
    return (await queues.page.waiting(trx, party)) + (await queues.site.waiting(trx, party));
  }

  /**
   * The run, if the viewer (a user's id, or null) may read it; an anonymous run is open to every visitor with its id. A
   * claimed free check keeps this public access for its original period: its link may have been passed on.
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
   * Makes a free check the buyer's run. A buyer with its id can claim it, once, if it is of a page of the website that was
   * bought.
   * @param url of the website
   * @returns true also if it belongs to this owner already
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

  /** A user's own run, without what is accepted; undefined alike for another user's, a deleted and a missing run. */
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

  /** Queue position of a waiting run: 1 is checked next; null if it does not wait. */
  async function queuePosition(id: string): Promise<number | null> {
    return (await queues.page.position(id)) ?? queues.site.position(id);
  }

  /** Does a run wait for another run of the same owner and site? */
  function isHeldBack(id: string): Promise<boolean> {
    return queues.site.isHeldBack(id);
  }

  /** Cancels a run; stored results stay. False if it has ended or is not the owner's. */
  function cancel(id: string, owner: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const own = await trx.selectFrom("run").select("id").where("id", "=", id).where("owner", "=", owner).executeTakeFirst();
      return own !== undefined && cancelAnyones(trx, id);
    });
  }

  /** The same for administrators: a run of any account, or of none. False if it has ended. */
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

  /** Marks a run and its page as running. Undefined if nothing is left to do. */
  function begin(id: string): Promise<RunRequest | undefined> {
    return db.transaction().execute(async (trx) => {
      const request = await markRunning(trx, id);
      const url = request && (await beginNextPage(trx, id));
      return url ? { ...request, url } : undefined;
    });
  }

  /** Marks the run of a site as running, or continues it. Undefined if nothing is left to do. */
  function resume(id: string): Promise<RunRequest | undefined> {
    return markRunning(db, id);
  }

  async function markRunning(on: Db | Trx, id: string): Promise<RunRequest | undefined> {
    const row = await on
      .updateTable("run")
      .set((eb) => ({ status: "running", started_at: eb.fn.coalesce("started_at", eb.val(now())) }))
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    const { url, standard, fullVersion, maxPages, excludedPaths, waitMs, waitFor, owner, startedAt } = toRun(row);
    const limits = await on.selectFrom("user").select("most_pages").where("id", "=", owner).executeTakeFirst();
    return {
      url,
      standard,
      maxPages: maxPages ?? undefined,
      accountMaxPages: limits?.most_pages ?? undefined,
      excludedPaths,
      waitMs: waitMs ?? undefined,
      waitFor: waitFor ?? undefined,
      access: accessOf(row),
      pictures: owner === null ? "few" : true,
      advanced: owner !== null && fullVersion >= standard.version && row.trial === 0 && row.claimed_at === null,
      startedAt: startedAt ?? now(),
    };
  }

  /** Undefined also if the encryption key is gone: the site is then scanned without access. */
  function accessOf({ access, url }: Selectable<RunTable>): RunRequest["access"] {
    const text = access === null ? null : box.open(access, ACCESS);
    return text === null ? undefined : { ...(JSON.parse(text) as Access), origin: new URL(url).origin };
  }

  /**
   * Stores the outcome of a page; the last open page ends the run.
   * @throws if the page is not open: nothing is stored twice.
   */
  async function finish(trx: Trx, id: string, result: PageResult, engines: EngineVersion[]): Promise<void> {
    await addResult(trx, id, result, engines);
    if (!(await hasOpenPages(trx, id))) await conclude(trx, id);
  }

  /** Ends a run: succeeded if at least one page was checked; otherwise failed, with the reason of the first page. */
  async function conclude(trx: Trx, id: string): Promise<void> {
    const { pages, failed_pages } = await trx
      .selectFrom("run")
      .select(["pages", "failed_pages"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const reason = pages > failed_pages ? null : await reasonOfFirstPage(trx, id);
    await trx
      .updateTable("run")
      .set({ status: pages > failed_pages ? "succeeded" : "failed", reason, finished_at: now(), access: null })
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .execute();
    await settleSlot(trx, id, now());
  }

  /** The run waits again: its worker stopped or died. */
  async function requeue(trx: Trx, id: string): Promise<void> {
    await requeuePages(trx, id);
    await trx
      .updateTable("run")
      .set({ status: "queued" })
      .where("id", "=", id)
      .where("status", "=", "running")
      .execute();
  }

  /** Ends an unfinished run as failed. */
  async function fail(trx: Trx, id: string, reason: Reason): Promise<void> {
    const failedPages = await failOpenPages(trx, id, reason);
    await dropPageFacts(trx, id);
    await trx
      .updateTable("run")
      .set((eb) => ({
        status: "failed",
        reason,
        finished_at: now(),
        access: null,
        pages: eb("pages", "+", failedPages),
        failed_pages: eb("failed_pages", "+", failedPages),
      }))
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .execute();
    await settleSlot(trx, id, now());
  }
}

/** For `run.mail_when_done`. */
export function storedMailWish(wanted: boolean | undefined): 0 | 1 | 2 {
  if (wanted === undefined) return 0;
  return wanted ? 1 : 2;
}

function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}

/** Converts a row to a `Run`, with all that was found; leaves out the access data of a protected site. */
export function toRun(row: Selectable<RunTable>): Run {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    scope: row.scope,
    standard: { version: row.standard_version, level: row.standard_level },
    fullVersion: row.full_version ?? row.standard_version,
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    claimedAt: row.claimed_at,
    engines: enginesOf(row),
    knownPages: row.known_pages,
    maxPages: row.max_pages,
    excludedPaths: row.left_out === null ? [] : (JSON.parse(row.left_out) as string[]),
    waitMs: row.wait_ms,
    waitFor: row.wait_for,
    evidence: row.evidence,
    crawl: row.crawl === null ? null : (JSON.parse(row.crawl) as CrawlFacts),
    stats: {
      pages: row.pages,
      failedPages: row.failed_pages,
      partlyPages: row.partly_pages,
      violations: row.violations,
      incomplete: row.incomplete,
      passes: row.passes,
      inapplicable: row.inapplicable,
      violatedRules: ruleIds(row.violated_rules).length,
      elements: row.elements,
      accepted: 0,
      impacts: { critical: row.critical, serious: row.serious, moderate: row.moderate, minor: row.minor },
    },
  };
}
