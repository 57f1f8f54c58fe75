import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db, RunStatus, RunTable, Trx } from "db/schema";
import type { Queue } from "~/queue/queue";
import {
  CATEGORIES,
  IMPACTS,
  type Category,
  type EngineVersion,
  type Impact,
  type PageResult,
  type Reason,
  type Standard,
} from "~/scan/types";
import type { CrawlFacts } from "~/scan/crawl/store";
import {
  addPage,
  beginNextPage,
  failOpenPages,
  finishPage,
  hasOpenPages,
  reasonOfFirstPage,
  requeuePages,
} from "./page.server";

export const ANONYMOUS_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;

/** An order to check a URL. Times are Unix time in ms. */
export interface Run {
  /** Unguessable: the link to an anonymous run is what opens it. */
  id: string;
  /** The user's id; null when a visitor started it. */
  owner: string | null;
  url: string;
  scope: "page" | "site";
  standard: Standard;
  status: RunStatus;
  /** Why a failed run failed. */
  reason: Reason | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
  /** Known once a page has been finished. */
  engine: EngineVersion | null;
  /** Pages with an outcome, and those that will have one as far as is known. */
  knownPages: number;
  /** What is to be said about a whole site besides its pages; null for a single page, and before the first of them. */
  crawl: CrawlFacts | null;
  stats: RunStats;
}

/** Sums over the finished pages of a run; a category counts findings, which on one page is the number of rules. */
export interface RunStats extends Record<Category, number> {
  /** Finished pages, also those that could not be checked. */
  pages: number;
  failedPages: number;
  /** Elements of violations. */
  elements: number;
  /** Violated rules by impact. */
  impacts: Record<Impact, number>;
}

/** Nothing more will happen to the run; true also when there is none (any more). */
export function isOver(run: Pick<Run, "status"> | undefined): boolean {
  return run?.status !== "queued" && run?.status !== "running";
}

export interface NewRun {
  /** Absolute and normalised, as `URL` writes it. */
  url: string;
  scope: "page" | "site";
  standard: Standard;
  owner: string | null;
}

/** What is to be checked. */
export interface RunOrder {
  url: string;
  standard: Standard;
}

export interface RunList {
  runs: Run[];
  /** `before` of the next, older part; null at the end. */
  next: string | null;
}

export interface RunsOptions {
  db: Db;
  /** A site is many pages' work, and must not hold up those who wait for one. */
  queues: Record<Run["scope"], Pick<Queue, "enqueue" | "position">>;
  /** Days until the run of a user is deleted; an anonymous one goes after 30. */
  retentionDays: number;
  now?: () => number;
}

export type Runs = ReturnType<typeof createRuns>;

/** Runs from the order to the result. What takes a transaction is part of the queue's, and sees nothing else. */
export function createRuns({ db, queues, retentionDays, now = Date.now }: RunsOptions) {
  return { start, find, list, queuePosition, begin, resume, finish, conclude, requeue, fail };

  /** Orders a run: it and its job exist both or not at all. */
  function start({ url, scope, standard, owner }: NewRun): Promise<Run> {
    const id = randomBytes(16).toString("base64url");
    const at = now();
    const days = owner === null ? ANONYMOUS_RETENTION_DAYS : retentionDays;
    return db.transaction().execute(async (trx) => {
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
          status: "queued",
          created_at: at,
          expires_at: at + days * DAY_MS,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      // Those of a site are found by the crawl.
      if (scope === "page") await addPage(trx, { runId: id, position: 0, url });
      await queues[scope].enqueue(trx, { runId: id });
      return toRun(row);
    });
  }

  /** The run, if the viewer (a user's id, or null) may read it; an anonymous run is open to whoever has its id. */
  async function find(id: string, viewer: string | null): Promise<Run | undefined> {
    const row = await db
      .selectFrom("run")
      .selectAll()
      .where("id", "=", id)
      .where((eb) => eb.or([eb("owner", "is", null), eb("owner", "=", viewer)]))
      .executeTakeFirst();
    return row && toRun(row);
  }

  /** A user's runs, newest first. An unreadable `before` starts from the newest. */
  async function list(
    owner: string,
    { before, limit }: { before?: string | null; limit: number },
  ): Promise<RunList> {
    const cursor = readCursor(before);
    let query = db.selectFrom("run").selectAll().where("owner", "=", owner);
    if (cursor) {
      const { createdAt, id } = cursor;
      query = query.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.tuple(createdAt, id)));
    }
    const rows = await query
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const runs = rows.slice(0, limit).map(toRun);
    const last = runs.at(-1);
    return { runs, next: last && rows.length > limit ? `${last.createdAt}.${last.id}` : null };
  }

  /** The place of a waiting run in line: 1 is checked next; null when it does not wait. */
  async function queuePosition(id: string): Promise<number | null> {
    return (await queues.page.position(id)) ?? queues.site.position(id);
  }

  /** Marks a run and its page as running. Undefined when nothing is left to do. */
  function begin(id: string): Promise<RunOrder | undefined> {
    return db.transaction().execute(async (trx) => {
      const order = await markRunning(trx, id);
      const url = order && (await beginNextPage(trx, id));
      return url ? { ...order, url } : undefined;
    });
  }

  /** Marks the run of a site as running, or takes it up again. Undefined when nothing is left to do. */
  function resume(id: string): Promise<RunOrder | undefined> {
    return markRunning(db, id);
  }

  async function markRunning(on: Db | Trx, id: string): Promise<RunOrder | undefined> {
    const row = await on
      .updateTable("run")
      .set({ status: "running", started_at: now() })
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .returningAll()
      .executeTakeFirst();
    return row && { url: row.url, standard: toRun(row).standard };
  }

  /**
   * Stores the outcome of a page; with the last open one the run is over.
   * @throws when the page is not open: nothing is stored twice.
   */
  async function finish(trx: Trx, id: string, result: PageResult, engine: EngineVersion): Promise<void> {
    await addResult(trx, id, result, engine);
    if (!(await hasOpenPages(trx, id))) await conclude(trx, id);
  }

  /** Ends a run: it succeeded if any page could be checked; else it failed for the reason of the first one. */
  async function conclude(trx: Trx, id: string): Promise<void> {
    const { pages, failed_pages } = await trx
      .selectFrom("run")
      .select(["pages", "failed_pages"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const reason = pages > failed_pages ? null : await reasonOfFirstPage(trx, id);
    await trx
      .updateTable("run")
      .set({ status: pages > failed_pages ? "succeeded" : "failed", reason, finished_at: now() })
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .execute();
  }

  /** The run waits again: whoever worked on it stopped or died. */
  async function requeue(trx: Trx, id: string): Promise<void> {
    await requeuePages(trx, id);
    await trx
      .updateTable("run")
      .set({ status: "queued", started_at: null })
      .where("id", "=", id)
      .where("status", "=", "running")
      .execute();
  }

  /** Gives a run up that is not over yet. */
  async function fail(trx: Trx, id: string, reason: Reason): Promise<void> {
    const failedPages = await failOpenPages(trx, id, reason);
    await trx
      .updateTable("run")
      .set((eb) => ({
        status: "failed",
        reason,
        finished_at: now(),
        pages: eb("pages", "+", failedPages),
        failed_pages: eb("failed_pages", "+", failedPages),
      }))
      .where("id", "=", id)
      .where("status", "in", ["queued", "running"])
      .execute();
  }
}

/** Stores the outcome of an open page, and adds it to the sums of its run. */
export async function addResult(
  trx: Trx,
  id: string,
  result: PageResult,
  engine: EngineVersion,
): Promise<void> {
  await finishPage(trx, id, result, engine);
  const row = await trx.selectFrom("run").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  await trx
    .updateTable("run")
    .set({ ...sum(row, countsOf(result)), engine_name: engine.name, engine_version: engine.version })
    .where("id", "=", id)
    .execute();
}

function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}

function readCursor(before: string | null | undefined): { createdAt: number; id: string } | undefined {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(before ?? "") ?? [];
  return createdAt && id ? { createdAt: Number(createdAt), id } : undefined;
}

const COUNTS = ["pages", "failed_pages", ...CATEGORIES, "elements", ...IMPACTS] as const;
type Counts = Record<(typeof COUNTS)[number], number>;
const NOTHING = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;

function countsOf(result: PageResult): Counts {
  if (result.status === "failed") return { ...NOTHING, pages: 1, failed_pages: 1 };
  const { findings } = result;
  const counts = { ...NOTHING, pages: 1 };
  for (const category of CATEGORIES) counts[category] = findings[category].length;
  for (const { impact, elementCount } of findings.violations) {
    counts.elements += elementCount;
    if (impact) counts[impact] += 1;
  }
  return counts;
}

function sum(one: Counts, other: Counts): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, one[name] + other[name]])) as Counts;
}

function toRun(row: Selectable<RunTable>): Run {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    scope: row.scope,
    standard: { version: row.standard_version, level: row.standard_level },
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    engine:
      row.engine_name && row.engine_version ? { name: row.engine_name, version: row.engine_version } : null,
    knownPages: row.known_pages,
    crawl: row.crawl === null ? null : (JSON.parse(row.crawl) as CrawlFacts),
    stats: {
      pages: row.pages,
      failedPages: row.failed_pages,
      violations: row.violations,
      incomplete: row.incomplete,
      passes: row.passes,
      inapplicable: row.inapplicable,
      elements: row.elements,
      impacts: { critical: row.critical, serious: row.serious, moderate: row.moderate, minor: row.minor },
    },
  };
}
