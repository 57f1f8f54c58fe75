import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import { createFindings } from "~/findings/finding.server";
import { createCrawls } from "~/runs/crawl.server";
import { createPages } from "~/runs/page.server";
import { createRuns } from "~/runs/run.server";
import { scanSite } from "~/runs/scan-job.server";
import type { Commit, Job, WorkContext } from "~/platform/jobs/queue";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import type { SiteFetch } from "~/scan/crawl/site-fetch";
import type { SiteFacts } from "~/scan/site/site-facts";
import type { PageRequest, PageResult, Scanner } from "~/scan/types";
import { freshDatabase, testBox } from "../../support/database/database";
import { addUsers } from "../../support/database/finished-runs";
import { checkedPage, ENGINES, fakeScanner, uncheckedPage } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

const ORIGIN = "https://shop.example";

/** Links by page: every page links to the next three. */
const siteOf = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, index) => [
      index === 0 ? "/" : `/page-${index}`,
      [1, 2, 3].map((next) => index * 3 + next).filter((next) => next < count).map((next) => `/page-${next}`),
    ]),
  );

const SITE = siteOf(12);
/** Site for tests that repeat after every step of a run. */
const SMALL_SITE = siteOf(6);

/** A site without robots.txt and sitemap. */
const nothingThere: SiteFetch = {
  get: async (url) => ({ status: 404, headers: {}, url, body: Buffer.from(""), cut: false }),
};

/** View of a site in a browser. */
function visits(log: string[] = [], site = SITE): Scanner["check"] {
  return async ({ url, onArrival, signal }: PageRequest): Promise<PageResult> => {
    const { pathname } = new URL(url);
    log.push(pathname);
    await Promise.resolve();
    const links = site.get(pathname);
    if (!links) return uncheckedPage({ url, reason: "http_status", detail: { httpStatus: 404 } });
    onArrival?.({ url, canonical: null, links: links.map((link) => `${ORIGIN}${link}`) });
    signal?.throwIfAborted();
    return checkedPage({ url, facts: menuOf(pathname) });
  };
}

/** Menu whose order differs on two pages. */
function menuOf(path: string): SiteFacts {
  const paths = ["/", "/page-1", "/page-2"];
  if (["/page-4", "/page-7"].includes(path)) paths.reverse();
  const links = paths.map((each) => ({ name: `Page ${each}`, address: `${ORIGIN}${each}` }));
  const block = { kind: "navigation" as const, name: "", element: { selector: "nav", html: "<nav>" }, links };
  return { heading: "", blocks: [block], links: [], versions: [], help: [], search: null, hasFinder: false };
}

interface SetUp {
  db?: Db;
  check?: Scanner["check"];
  fetch?: SiteFetch;
  maxPages?: number;
}

async function setUp({ db: given, check = visits(), fetch = nothingThere, maxPages = 100 }: SetUp = {}) {
  const db = given ?? (await freshDatabase());
  const queues = {
    page: createDatabaseQueue({ db, pollMs: 5, retryMs: 0 }),
    site: createDatabaseQueue({ db, name: "site", pollMs: 5, retryMs: 0 }),
  };
  onTestFinished(() => queues.site.stop({ graceMs: 0 }));
  const runs = createRuns({ db, box: testBox, queues, retentionDays: 365 });
  const handler = scanSite({
    runs,
    crawls: createCrawls({ db }),
    scanner: { ...fakeScanner(check), engines: [...ENGINES, { name: "rampe", version: "1.0.0" }] },
    fetch,
    throttles: createHostThrottles(),
    userAgent: "Rampe/1",
    maxPages,
  });
  const request = () => runs.start({ url: `${ORIGIN}/`, scope: "site", standard: WCAG22AA, owner: "user" });
  return { db, queues, runs, handler, request, pages: createPages({ db }) };
}

const over = (runs: Awaited<ReturnType<typeof setUp>>["runs"], id: string) =>
  vi.waitFor(
    async () => {
      const run = await runs.find(id, "user");
      if (run?.status === "queued" || run?.status === "running") throw new Error("not over yet");
      return run;
    },
    { timeout: 10_000, interval: 5 },
  );

test("the run of a site checks its pages and reports their number", async () => {
  const { runs, queues, handler, request, pages, db } = await setUp();
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  const run = await over(runs, id);
  expect(run).toMatchObject({ status: "succeeded", reason: null, knownPages: 12, stats: { pages: 12, failedPages: 0 } });
  expect(run?.crawl).toMatchObject({ pages: 12, known: 12, waiting: 0, limited: false, robots: "none" });
  const found = await pages.ofRun(id);
  expect(found.map(({ url }) => new URL(url).pathname).sort()).toEqual([...SITE.keys()].sort());
  expect(found.map(({ position }) => position)).toEqual(found.map((_, index) => index));
  expect(await db.selectFrom("known_address").selectAll().execute()).toEqual([]);
});

test("what is found by comparing pages is told once, and counted", async () => {
  const { runs, queues, handler, request, pages, db } = await setUp();
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  const run = await over(runs, id);
  // One violation on each page, and one of the site.
  expect(run?.stats).toMatchObject({ violations: 13, violatedRules: 2, elements: 13, impacts: { moderate: 1 } });
  const found = createFindings({ db });
  const told = [];
  for (const { id: pageId, url } of await pages.ofRun(id)) {
    const { violations } = await found.ofPage(pageId, { elements: 10 });
    const about = violations.find(({ ruleId }) => ruleId === "rampe-consistent-navigation");
    if (about) told.push([new URL(url).pathname, about.elementCount, about.elements[0]?.checks[0]?.message]);
  }
  expect(told).toEqual([["/page-4", 1, "“Page /page-2” comes before “Page /” here, but after it on /. Pages with this menu: 12, with changed places: 2"]]);
  expect(await db.selectFrom("page_facts").selectAll().execute()).toEqual([]);
});

test("links to pages that the crawl did not find are told once, without further requests", async () => {
  const log: string[] = [];
  const dead = `${ORIGIN}/old`;
  const check: Scanner["check"] = async (request) => {
    const result = await visits(log)({ ...request, onArrival: (arrival) => request.onArrival?.({ ...arrival, links: [...arrival.links, dead] }) });
    if (result.status === "failed" || !result.facts) return result;
    const link = { name: "Old", address: dead, element: { selector: "p > a", html: "<a>" } };
    return { ...result, facts: { ...result.facts, links: [link] } };
  };
  const { runs, queues, handler, request, pages, db } = await setUp({ check });
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  await over(runs, id);
  const told = [];
  for (const { id: pageId, url } of await pages.ofRun(id)) {
    const { incomplete } = await createFindings({ db }).ofPage(pageId, { elements: 10 });
    const about = incomplete.find(({ ruleId }) => ruleId === "rampe-dead-link");
    if (about) told.push([new URL(url).pathname, about.elements.map(({ checks }) => checks[0]?.data)]);
  }
  expect(told).toEqual([["/", [expect.objectContaining({ name: "Old", target: "/old", status: 404, pages: 12 })]]]);
  expect(log.filter((path) => path === "/old")).toHaveLength(1);
});

test("a crash at any step loses no page, and stores none twice", { timeout: 60_000 }, async () => {
  const check = visits([], SMALL_SITE);
  for (let step = 0; step < 200; step += 1) {
    const { db, runs, handler, request, pages } = await setUp({ check });
    const { id } = await request();
    const job = jobOf(id);
    let steps = 0;
    const dying: WorkContext = {
      signal: new AbortController().signal,
      checkpoint(commit) {
        // Before the write, or immediately after it, before the notification.
        if (steps++ === Math.floor(step / 2)) return step % 2 ? keep(db, commit).then(died) : died();
        return keep(db, commit);
      },
      ...UNINTERESTED,
    };
    const survived = await handler.work(job, dying).then(
      () => true,
      () => false,
    );
    if (survived) {
      expect(step).toBeGreaterThan(20);
      break;
    }
    const next = await setUp({ db, check });
    await db.transaction().execute((trx) => handler.putBack(trx, job, "died"));
    const conclude = await next.handler.work(job, { ...dying, checkpoint: (commit) => keep(db, commit) });
    await keep(db, conclude);

    const run = await runs.find(id, "user");
    // The comparison of pages finds one of them.
    expect(run, `after step ${step}`).toMatchObject({ status: "succeeded", stats: { pages: SMALL_SITE.size, violations: SMALL_SITE.size + 1 } });
    const paths = (await pages.ofRun(id)).map(({ url, status }) => `${new URL(url).pathname} ${status}`);
    expect(paths.sort(), `after step ${step}`).toEqual([...SMALL_SITE.keys()].map((path) => `${path} succeeded`).sort());
  }
});

const jobOf = (runId: string): Job => ({ id: "job", runId, payload: null, attempt: 1, party: "user", deaths: 0 });
/** Unused parts of the options. */
const UNINTERESTED = { visits: async () => {}, pause: () => () => {} };
const keep = (db: Db, commit: Commit) => db.transaction().execute(commit);
const died = () => Promise.reject(new Error("died"));

test("a page that crashes the process again and again is given up, and the others are checked", async () => {
  const db = await freshDatabase();
  const { id } = await (await setUp({ db })).request();
  const job = jobOf(id);
  const log: string[] = [];
  let finished = false;
  for (let life = 0; life < 20 && !finished; life += 1) {
    const dead = new AbortController();
    const kill: Scanner["check"] = async (request) => {
      if (!request.url.endsWith("/page-2")) return visits(log)(request);
      log.push("/page-2");
      // The process has ended: its later actions store nothing.
      dead.abort(new Error("killed"));
      throw new Error("killed");
    };
    const { handler } = await setUp({ db, check: kill });
    const checkpoint: WorkContext["checkpoint"] = (commit) =>
      dead.signal.aborted ? died() : keep(db, commit);
    finished = await handler.work(job, { signal: new AbortController().signal, checkpoint, ...UNINTERESTED }).then(
      (conclude) => keep(db, conclude).then(() => true),
      () => false,
    );
    if (!finished) await keep(db, (trx) => handler.putBack(trx, job, "died"));
  }
  // One crash beside other pages, and nine alone.
  expect(log.filter((path) => path === "/page-2")).toHaveLength(10);
  const { runs, pages } = await setUp({ db });
  expect(await runs.find(id, "user")).toMatchObject({ status: "succeeded", stats: { failedPages: 1 } });
  const failed = (await pages.ofRun(id)).filter(({ status }) => status === "failed");
  expect(failed.map(({ url, reason }) => `${url} ${reason}`)).toEqual([`${ORIGIN}/page-2 crashed`]);
});

test("a site with a failed start page and without a sitemap fails for the same reason", async () => {
  const check: Scanner["check"] = async ({ url }) => uncheckedPage({ url, reason: "dns" });
  const { runs, queues, handler, request } = await setUp({ check });
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  expect(await over(runs, id)).toMatchObject({ status: "failed", reason: "dns", stats: { pages: 1, failedPages: 1 } });
});

test("a site that robots.txt disallows fails for that reason, and no page is visited", async () => {
  const log: string[] = [];
  const closed: SiteFetch = {
    get: async (url) => ({ status: 200, headers: {}, url, body: Buffer.from("User-agent: *\nDisallow: /"), cut: false }),
  };
  const { runs, queues, handler, request } = await setUp({ check: visits(log), fetch: closed });
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  expect(await over(runs, id)).toMatchObject({ status: "failed", reason: "robots", stats: { pages: 1 } });
  expect(log).toEqual([]);
});

test("the page limit is obeyed, and the unvisited pages are reported", async () => {
  const { runs, queues, handler, request } = await setUp({ maxPages: 5 });
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  const run = await over(runs, id);
  expect(run?.stats.pages).toBe(5);
  expect(run?.crawl).toMatchObject({ pages: 5, maxPages: 5, limited: true });
  expect(run?.crawl?.waiting).toBeGreaterThan(0);
});

test.each([3, 7])("an account may have a page limit of its own: %s instead of 5", async (own) => {
  const { db, runs, queues, handler, request } = await setUp({ maxPages: 5 });
  await addUsers(db, "user");
  await db.updateTable("user").set({ most_pages: own }).execute();
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  expect((await over(runs, id))?.crawl).toMatchObject({ pages: own, maxPages: own, limited: true });
});

test("a run that is deleted while it runs ends, and leaves no data", async () => {
  const begun = new Map<string, () => void>();
  const waiting: Scanner["check"] = (request) =>
    new Promise((resolve, reject) => {
      begun.set(request.url, () => resolve(checkedPage({ url: request.url })));
      request.signal?.addEventListener("abort", () => reject(request.signal?.reason as Error));
    });
  const { db, queues, handler, request } = await setUp({ check: waiting });
  const { id } = await request();
  await queues.site.work(handler, { concurrency: 1 });
  await vi.waitFor(() => expect(begun.size).toBe(1));
  await db.deleteFrom("run").where("id", "=", id).execute();
  begun.forEach((finish) => finish());
  await queues.site.stop({ graceMs: 1_000 });
  expect(await db.selectFrom("page").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("known_address").selectAll().execute()).toEqual([]);
});
