import { sql, type Selectable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { PageStatus, PageTable } from "db/tables/runs";
import { NO_GAPS, type EngineVersion, type FailureDetail, type Gaps, type PageResult, type Reason, type StageTime } from "~/scan/types";
import { sanitizeUntrustedData, sanitizeUntrustedText } from "~/findings/untrusted-text";
import { storeWalk } from "~/findings/keyboard-walk.server";
import { storePagePicture } from "~/findings/page-picture.server";
import { storeFindings } from "~/findings/finding.server";
import { NONE_STORED } from "~/findings/picture-store.server";

/** One address in a run, with its own outcome. Values that are unknown (until now) are null or empty. */
export interface Page {
  id: number;
  runId: string;
  /** Position in the order of checking, from 0. */
  position: number;
  /** The requested address. */
  url: string;
  /** The address after redirects; null if the page was not reached. */
  finalUrl: string | null;
  /** First page of the site found with a link to this page; null if none. */
  linkedFrom: string | null;
  status: PageStatus;
  reason: Reason | null;
  detail: FailureDetail;
  httpStatus: number | null;
  title: string;
  lang: string;
  /** Ids of rules that ran out of the page's time budget. */
  partial: string[];
  gaps: Gaps;
  /** Begin of the check, Unix time in ms. */
  checkedAt: number | null;
  durationMs: number | null;
  stages: StageTime[];
}

const OPEN = ["queued", "running"] as const;
// Maximum lengths of untrusted text from the page, in characters; real headings are shorter.
const MAX_TITLE = 1_000;
const MAX_LANG = 100;
const MAX_URL = 2_048;
const MAX_DETAIL = 500;
const MAX_FRAMES = 100;
const MAX_FACT = 500;

export type Pages = ReturnType<typeof createPages>;

/** Reads pages of a run. The caller has checked that the viewer may see the run. */
export function createPages({ db }: { db: Db }) {
  return { ofRun, reachedFirst };

  /** All pages of a run in the order of checking; one page for a run of a single page. */
  async function ofRun(runId: string): Promise<Page[]> {
    const rows = await db
      .selectFrom("page")
      .selectAll()
      .where("run_id", "=", runId)
      .orderBy("position")
      .execute();
    return rows.map(toPage);
  }

  /** Final address of the first page of each run, if it was visited. */
  async function reachedFirst(runIds: string[]): Promise<Map<string, string>> {
    if (runIds.length === 0) return new Map();
    const rows = await db
      .selectFrom("page")
      .select(["run_id", "final_url"])
      .where("run_id", "in", runIds)
      .where("position", "=", 0)
      .execute();
    return new Map(rows.flatMap(({ run_id, final_url }) => (final_url === null ? [] : [[run_id, final_url] as const])));
  }
}

export async function addPage(
  trx: Trx,
  page: { runId: string; position: number; url: string },
): Promise<void> {
  await trx
    .insertInto("page")
    .values({ run_id: page.runId, position: page.position, url: page.url, status: "queued" })
    .execute();
}

/** Marks a page of a site as running before its visit, perhaps for the second time, after a process ended during the visit. */
export async function openPage(trx: Trx, runId: string, url: string): Promise<void> {
  await trx
    .insertInto("page")
    .values((eb) => ({
      run_id: runId,
      url,
      status: "running",
      position: eb
        .selectFrom("page")
        .select((last) => last.fn.coalesce(sql<number>`max(position) + 1`, sql<number>`0`).as("position"))
        .where("run_id", "=", runId),
    }))
    .onConflict((conflict) =>
      conflict.columns(["run_id", "url"]).doUpdateSet({ status: "running" }).where("page.status", "in", OPEN),
    )
    .execute();
}

/** Deletes an open page, because its address is no page or has to wait. Without an address: all open pages. */
export async function dropOpenPages(trx: Trx, runId: string, url?: string): Promise<void> {
  let pages = trx.deleteFrom("page").where("run_id", "=", runId).where("status", "in", OPEN);
  if (url !== undefined) pages = pages.where("url", "=", url);
  await pages.execute();
}

/** Failure reason of the run's first page; null if the page was checked. */
export async function reasonOfFirstPage(trx: Trx, runId: string): Promise<Reason | null> {
  const page = await trx
    .selectFrom("page")
    .select("reason")
    .where("run_id", "=", runId)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  return page?.reason ?? null;
}

/** Marks the first unfinished page as running. @returns its address */
export async function beginNextPage(trx: Trx, runId: string): Promise<string | undefined> {
  const page = await trx
    .updateTable("page")
    .set({ status: "running" })
    .where("id", "=", (eb) =>
      eb
        .selectFrom("page")
        .select("id")
        .where("run_id", "=", runId)
        .where("status", "in", OPEN)
        .orderBy("position")
        .limit(1),
    )
    .returning("url")
    .executeTakeFirst();
  return page?.url;
}

/**
 * Stores the outcome of an open page with all its findings.
 * @returns size of its elements, its keyboard walk and all pictures, in bytes
 * @throws if the run has no such page, or the page is already finished: nothing is stored twice.
 */
export async function finishPage(
  trx: Trx,
  runId: string,
  result: PageResult,
  engines: EngineVersion[],
  stored = NONE_STORED,
): Promise<number> {
  const { id } = await trx
    .updateTable("page")
    .set({
      status: result.status,
      final_url: sanitizeUntrustedText(result.finalUrl, MAX_URL),
      linked_from: result.linkedFrom === undefined ? null : sanitizeUntrustedText(result.linkedFrom, MAX_URL),
      checked_at: result.checkedAt,
      duration_ms: Math.round(result.durationMs),
      ...(result.status === "succeeded"
        ? {
            http_status: result.httpStatus,
            title: sanitizeUntrustedText(result.title, MAX_TITLE),
            lang: sanitizeUntrustedText(result.lang, MAX_LANG),
            partial: JSON.stringify(result.partial),
            gaps: JSON.stringify(storedGaps(result.gaps)),
            stages: JSON.stringify(result.stages ?? []),
          }
        : {
            http_status: result.detail.httpStatus ?? null,
            reason: result.reason,
            detail: JSON.stringify(sanitizeUntrustedData(result.detail, MAX_DETAIL)),
          }),
    })
    .where("run_id", "=", runId)
    .where("url", "=", result.url)
    .where("status", "in", OPEN)
    .returning("id")
    .executeTakeFirstOrThrow();
  if (result.status === "failed") return 0;
  if (result.facts) await trx.insertInto("page_facts").values({ page_id: id, facts: JSON.stringify(sanitizeUntrustedData(result.facts, MAX_FACT)) }).execute();
  const walkBytes = result.walk ? await storeWalk(trx, { runId, pageId: id }, result.walk, stored) : 0;
  const pictureBytes = result.picture ? await storePagePicture(trx, { runId, pageId: id }, result.picture, result.findings.violations, stored) : 0;
  return walkBytes + pictureBytes + (await storeFindings(trx, { runId, pageId: id }, result.findings, engines, stored));
}

/** Deletes the facts about a run's pages that the rules about whole sites needed. */
export async function dropPageFacts(trx: Trx, runId: string): Promise<void> {
  await trx
    .deleteFrom("page_facts")
    .where("page_id", "in", (eb) => eb.selectFrom("page").select("page.id").where("run_id", "=", runId))
    .execute();
}

export async function hasOpenPages(trx: Trx, runId: string): Promise<boolean> {
  const open = await trx
    .selectFrom("page")
    .select("id")
    .where("run_id", "=", runId)
    .where("status", "in", OPEN)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

export async function requeuePages(trx: Trx, runId: string): Promise<void> {
  await trx
    .updateTable("page")
    .set({ status: "queued" })
    .where("run_id", "=", runId)
    .where("status", "=", "running")
    .execute();
}

/** @returns number of pages that were still open */
export async function failOpenPages(trx: Trx, runId: string, reason: Reason): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable("page")
    .set({ status: "failed", reason })
    .where("run_id", "=", runId)
    .where("status", "in", OPEN)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function storedGaps(gaps: Gaps): Gaps {
  const frames = new Set(gaps.frames.map((address) => sanitizeUntrustedText(address, MAX_DETAIL)));
  return { ...gaps, frames: [...frames].slice(0, MAX_FRAMES) };
}

export function toPage(row: Selectable<PageTable>): Page {
  return {
    id: row.id,
    runId: row.run_id,
    position: row.position,
    url: row.url,
    finalUrl: row.final_url,
    linkedFrom: row.linked_from,
    status: row.status,
    reason: row.reason,
    detail: row.detail === null ? {} : (JSON.parse(row.detail) as FailureDetail),
    httpStatus: row.http_status,
    title: row.title ?? "",
    lang: row.lang ?? "",
    partial: row.partial === null ? [] : (JSON.parse(row.partial) as string[]),
    // Pages of older versions do not have all gaps.
    gaps: { ...NO_GAPS, ...(row.gaps === null ? {} : (JSON.parse(row.gaps) as Gaps)) },
    checkedAt: row.checked_at,
    durationMs: row.duration_ms,
    stages: row.stages === null ? [] : (JSON.parse(row.stages) as StageTime[]),
  };
}

/** True if a part of the page was not checked. Missing files and unopened content do not count: the page was checked as shown. */
export function isPartlyChecked({ partial, gaps: { resources: _, offline: __, unopened: ___, ...gaps } }: Pick<Page, "partial" | "gaps">): boolean {
  return [partial, ...Object.values(gaps)].some((gap) => (Array.isArray(gap) ? gap.length > 0 : Boolean(gap)));
}
