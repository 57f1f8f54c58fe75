import { expect, onTestFinished, test, vi } from "vitest";
import { createCrawls } from "~/runs/crawl.server";
import { createPages } from "~/runs/page.server";
import { createReports } from "~/reports/report.server";
import { isOver } from "~/runs/run";
import { createRuns, type NewRun } from "~/runs/run.server";
import type { JobHandler } from "~/platform/jobs/queue";
import { scanRun, scanSite } from "~/runs/scan-job.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import type { Scanner } from "~/scan/types";
import { freshDatabase, testBox } from "../../support/database/database";
import { checkedPage, ENGINES, fakeScanner } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

const SHOP = "https://shop.example/";
const ORDER: NewRun = { url: SHOP, scope: "page", standard: WCAG22AA, owner: "ada" };

/** @param check method of the scanner */
async function setUp(check: Scanner["check"]) {
  const db = await freshDatabase();
  const queues = {
    page: createDatabaseQueue({ db, pollMs: 5, retryMs: 0 }),
    site: createDatabaseQueue({ db, name: "site", pollMs: 5, retryMs: 0 }),
  };
  onTestFinished(async () => {
    await Promise.all([queues.page.stop({ graceMs: 0 }), queues.site.stop({ graceMs: 0 })]);
  });
  const runs = createRuns({ db, queues, box: testBox, retentionDays: 365 });
  const scanner = fakeScanner(check);
  const handlers: Record<NewRun["scope"], JobHandler> = {
    page: scanRun({ runs, scanner }),
    site: scanSite({
      ...{ runs, scanner, crawls: createCrawls({ db }), throttles: createHostThrottles(), userAgent: "Rampe/1", maxPages: 100 },
      fetch: { get: async (url) => ({ status: 404, headers: {}, url, body: Buffer.from(""), cut: false }) },
    }),
  };
  const work = (scope: NewRun["scope"]) => queues[scope].work(handlers[scope], { concurrency: 1 });
  return { db, queues, runs, work, pages: createPages({ db }), reports: createReports({ db }) };
}

/** Page whose visit lasts until it is aborted; `visits` counts the visits. */
function endless() {
  const visits: { url: string; signal: AbortSignal | undefined }[] = [];
  const check: Scanner["check"] = ({ url, signal }) => {
    visits.push({ url, signal });
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  };
  return { visits, check };
}

test("a waiting run is canceled before it starts, and the next one moves up", async () => {
  const { visits, check } = endless();
  const { runs, work, pages } = await setUp(check);
  const [first, second] = [await runs.start(ORDER), await runs.start({ ...ORDER, url: `${SHOP}next` })];
  expect(await runs.cancel(first.id, "ada")).toBe(true);
  expect(await runs.queuePosition(second.id)).toBe(1);
  await work("page");
  await vi.waitFor(() => expect(visits.map(({ url }) => url)).toEqual([second.url]));
  const run = await runs.ofOwner(first.id, "ada");
  expect(run).toMatchObject({ status: "canceled", stats: { pages: 0 } });
  expect(isOver(run)).toBe(true);
  expect(await pages.ofRun(first.id)).toEqual([]);
});

test("a worker stops a canceled run at once, and continues with the next", async () => {
  const { visits, check } = endless();
  const { runs, work, pages } = await setUp(check);
  const [first, second] = [await runs.start(ORDER), await runs.start({ ...ORDER, url: `${SHOP}next` })];
  await work("page");
  await vi.waitFor(() => expect(visits).toHaveLength(1));
  await runs.cancel(first.id, "ada");
  await vi.waitFor(() => expect(visits).toHaveLength(2));
  expect(visits[0]?.signal?.aborted).toBe(true);
  expect(visits[1]).toMatchObject({ url: second.url, signal: { aborted: false } });
  expect(await runs.ofOwner(first.id, "ada")).toMatchObject({ status: "canceled", stats: { pages: 0, failedPages: 0 } });
  expect(await pages.ofRun(first.id)).toEqual([]);
});

test("a late result of a canceled run changes nothing", async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const check = vi.fn<Scanner["check"]>(async ({ url }) => held.then(() => checkedPage({ url })));
  const { db, runs, work, queues, reports } = await setUp(check);
  const { id } = await runs.start(ORDER);
  await work("page");
  await vi.waitFor(() => expect(check).toHaveBeenCalledOnce());
  await runs.cancel(id, "ada");
  const canceled = await runs.ofOwner(id, "ada");
  finish();
  await queues.page.stop({ graceMs: 1_000 });
  await expect(db.transaction().execute((trx) => runs.finish(trx, id, checkedPage(), ENGINES))).rejects.toThrow();
  await db.transaction().execute(async (trx) => {
    await runs.conclude(trx, id);
    await runs.requeue(trx, id);
    await runs.fail(trx, id, "crashed");
  });
  expect(await runs.ofOwner(id, "ada")).toEqual(canceled);
  expect(await reports.rules(id)).toEqual([]);
  expect(await runs.begin(id)).toBeUndefined();
});

test("the results of a canceled site stay, and no further page is visited", async () => {
  const visited: string[] = [];
  const { db, runs, work, pages, reports } = await setUp(async ({ url, onArrival, signal }) => {
    visited.push(url);
    onArrival?.({ url, canonical: null, links: [`${SHOP}a`, `${SHOP}b`, `${SHOP}c`] });
    if (url === SHOP) return checkedPage({ url });
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  });
  const { id } = await runs.start({ ...ORDER, scope: "site" });
  await work("site");
  await vi.waitFor(async () => {
    expect(visited.length).toBeGreaterThan(1);
    expect((await runs.ofOwner(id, "ada"))?.stats.pages).toBe(1);
  });
  await runs.cancel(id, "ada");
  const before = visited.length;
  await vi.waitFor(async () => {
    expect(await db.selectFrom("job").select("state").where("run_id", "=", id).execute()).toEqual([{ state: "done" }]);
  });
  expect(await runs.ofOwner(id, "ada")).toMatchObject({ status: "canceled", stats: { pages: 1, failedPages: 0, violations: 1 } });
  expect((await pages.ofRun(id)).map(({ url, status }) => [url, status])).toEqual([[SHOP, "succeeded"]]);
  expect((await reports.rules(id)).map(({ ruleId }) => ruleId)).toContain("image-alt");
  expect(await db.selectFrom("known_address").selectAll().execute()).toEqual([]);
  expect(visited).toHaveLength(before);
});

test("only the owner can cancel a run, and only until it ends", async () => {
  const { db, runs } = await setUp(endless().check);
  const { id } = await runs.start(ORDER);
  expect([await runs.cancel(id, "eve"), await runs.cancel("none", "ada")]).toEqual([false, false]);
  await runs.begin(id);
  await db.transaction().execute((trx) => runs.finish(trx, id, checkedPage(), ENGINES));
  const done = await runs.ofOwner(id, "ada");
  expect(done?.status).toBe("succeeded");
  expect(await runs.cancel(id, "ada")).toBe(false);
  expect(await runs.ofOwner(id, "ada")).toEqual(done);
});
