import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRuns } from "~/runs/run.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { freshLocation, testBox } from "../../support/database/database";
import { browserProcesses } from "../../support/servers/processes";
import { WCAG22AA } from "../../support/scan/scanner";
import { minutes } from "../../support/patience";
import { repetitions } from "../../support/repetitions";
import { startKillable } from "../../support/servers/killable-server";
import { newDatabase, withDatabase, type DatabaseLocation } from "../../support/database/server-database";
import { openSite, pageWith, type Page, type Site } from "../../support/scan/site";

const PAGES = repetitions(16, 50);
const KILLS = repetitions(3, 50);
// More than the duration of a page, so that some kills come during a page and some between two.
const LONGEST_LIFE_MS = 2_500;

/** Number of browser kills in one run: a page that loses its browser six times in a row fails. */
const BROWSER_KILLS = repetitions(2, 6);
const PAGES_OF_KILLED_RUN = repetitions(9, PAGES);
const KILLED_RUNS = Array.from({ length: repetitions(1, 8) }, (_, index) => index + 1);

/** Violations of `pageWith`: an image without a text, and a title that fits any page. */
const VIOLATIONS_PER_PAGE = 2;

const SITES = repetitions(3, 20);
const INTERRUPTIONS = repetitions(6, 200);

/** Handler that answers after most interruptions. */
const slowly =
  (body: string): Page =>
  (_request, response) =>
    void setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(body), 1_200);

/** Site of slow pages that each link to the next ones. */
function treeOf(count: number, pageMs = 100): Record<string, Page> {
  const addressOf = (index: number) => (index === 0 ? "/" : `/part-${index % 5}/page-${index}`);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const children = [3 * index + 1, 3 * index + 2, 3 * index + 3].filter((child) => child < count);
      const links = children.map((child) => `<p><a href="${addressOf(child)}">Page ${child}</a></p>`).join("");
      const page: Page = (_request, response) => {
        setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(pageWith(links)), pageMs);
      };
      return [addressOf(index), page];
    }),
  );
}

/**
 * Starts the run of a site like the server's routes, in a database that no server uses.
 * @param options trial: without advanced analyses, which take most of the time
 */
async function orderSite(location: DatabaseLocation, site: Site, { trial = false } = {}): Promise<string> {
  const db = await newDatabase(location);
  try {
    const queues = { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) };
    const runs = createRuns({ db, box: testBox, queues, retentionDays: 1 });
    return (await runs.start({ url: site.url("/"), scope: "site", standard: WCAG22AA, owner: "user", trial })).id;
  } finally {
    await db.destroy();
  }
}

const runOf = (location: DatabaseLocation, id: string) =>
  withDatabase(location, (db) => db.selectFrom("run").selectAll().where("id", "=", id).executeTakeFirstOrThrow());

const isOver = (location: DatabaseLocation, id: string) =>
  vi.waitFor(async () => expect((await runOf(location, id)).status).not.toMatch(/queued|running/), {
    timeout: minutes(1.5),
    interval: 300,
  });

/** Expects that every page of the site is stored once, with equal results, and that the run's sums are right. */
async function expectComplete(location: DatabaseLocation, id: string, site: Site, paths: string[]): Promise<void> {
  const run = await runOf(location, id);
  const pages = await withDatabase(location, (db) => db.selectFrom("page").selectAll().where("run_id", "=", id).execute());
  expect(pages.map(({ url }) => url).sort()).toEqual(paths.map((each) => site.url(each)).sort());
  expect(pages.filter(({ status }) => status !== "succeeded")).toEqual([]);
  expect(run).toMatchObject({
    status: "succeeded",
    pages: paths.length,
    known_pages: paths.length,
    failed_pages: 0,
    violations: VIOLATIONS_PER_PAGE * paths.length,
    elements: VIOLATIONS_PER_PAGE * paths.length,
  });
  const findings = await withDatabase(location, (db) =>
    db
      .selectFrom("finding")
      .innerJoin("rule", "rule.id", "finding.rule_id")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      // Our own rules may be unfinished on a busy machine, or be about the whole site.
      .where("rule.source", "=", "axe")
      .groupBy("page_id")
      .execute(),
  );
  expect(findings).toEqual(paths.map(() => findings[0]));
  const left = await withDatabase(location, (db) => db.selectFrom("known_address").selectAll().execute());
  expect(left).toEqual([]);
}

function settingsFor(site: Site): Record<string, string> {
  return { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, SCAN_CONCURRENCY: "2" };
}

test(`a site of ${PAGES} pages is complete after the server was killed ${KILLS} times`, async () => {
  const pages = treeOf(PAGES);
  const site = await openSite(pages);
  onTestFinished(() => site.close());
  const location = freshLocation();
  const id = await orderSite(location, site);

  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startKillable(location, settingsFor(site));
    await delay(500 + Math.random() * LONGEST_LIFE_MS);
    await server.kill();
  }
  await startKillable(location, settingsFor(site));
  await isOver(location, id);
  await expectComplete(location, id, site, Object.keys(pages));
  // Each kill repeats the pages in progress: two in analysis and one that loads.
  const visits = site.requests.filter((each) => each in pages).length;
  expect(visits).toBeLessThanOrEqual(PAGES + 3 * KILLS);
});

test(`${SITES} sites with a slow start page are complete after ${INTERRUPTIONS} kills and clean stops: no page is blamed for them`, async () => {
  const sites = await Promise.all(
    Array.from({ length: SITES }, () => openSite({ ...treeOf(3), "/": slowly(pageWith('<a href="/part-1/page-1">1</a> <a href="/part-2/page-2">2</a>')) })),
  );
  onTestFinished(() => void Promise.all(sites.map((site) => site.close())));
  const location = freshLocation();
  const ids = [];
  for (const site of sites) ids.push(await orderSite(location, site, { trial: true }));
  const settings = { SCAN_ALLOW_PRIVATE: "127.0.0.1", SCAN_CONCURRENCY: "2" };
  for (let count = 0; count < INTERRUPTIONS; count += 1) {
    const server = await startKillable(location, settings);
    await delay(300 + Math.random() * 1_500);
    await (count % 2 ? server.stop() : server.kill());
  }
  await startKillable(location, settings);
  for (const [index, id] of ids.entries()) {
    await isOver(location, id);
    const run = await runOf(location, id);
    const pages = await withDatabase(location, (db) => db.selectFrom("page").select(["url", "status"]).where("run_id", "=", id).execute());
    expect(run, `site ${index}`).toMatchObject({ status: "succeeded", pages: 3, failed_pages: 0 });
    expect(pages.map(({ url, status }) => `${new URL(url).pathname} ${status}`).sort()).toEqual([
      "/ succeeded",
      "/part-1/page-1 succeeded",
      "/part-2/page-2 succeeded",
    ]);
  }
});

test.each(KILLED_RUNS)(`a site of ${PAGES_OF_KILLED_RUN} pages is complete after its browser was killed ${BROWSER_KILLS} times (run %i)`, async () => {
  // Slow pages, so that the run takes longer than the kills.
  const pages = treeOf(PAGES_OF_KILLED_RUN, 600);
  const site = await openSite(pages);
  onTestFinished(() => site.close());
  const location = freshLocation();
  const id = await orderSite(location, site, { trial: true });
  const mark = `Rampe/killed-${site.port}`;

  await startKillable(location, { ...settingsFor(site), SCAN_USER_AGENT: mark });
  let killed = 0;
  for (const end = Date.now() + minutes(1); killed < BROWSER_KILLS && Date.now() < end; ) {
    const { pages: done } = await runOf(location, id);
    if (done >= PAGES_OF_KILLED_RUN) break;
    const browsers = new Set(browserProcesses(mark).map(({ group }) => group));
    for (const group of browsers) process.kill(-group, "SIGKILL");
    if (browsers.size > 0) killed += 1;
    await delay(1_000 + Math.random() * 500);
  }
  await isOver(location, id);
  await expectComplete(location, id, site, Object.keys(pages));
  expect(killed).toBe(BROWSER_KILLS);
});

test("a check of one page is not delayed by the run of a site", async () => {
  // Large site, so that its run does not end first.
  const site = await openSite(treeOf(100));
  onTestFinished(() => site.close());
  const location = freshLocation();
  const id = await orderSite(location, site, { trial: true });
  const { origin } = await startKillable(location, settingsFor(site));
  await vi.waitFor(async () => expect((await runOf(location, id)).pages).toBeGreaterThan(1), { timeout: minutes(1.5) });

  const requested = await fetch(`${origin}/?index`, {
    method: "POST",
    body: new URLSearchParams({ url: site.url("/part-1/page-1") }),
    redirect: "manual",
  });
  const answer = async () => (await fetch(new URL(requested.headers.get("Location") ?? "", origin))).text();
  await expect.poll(answer).toContain("image-alt");
  expect((await runOf(location, id)).status).toBe("running");
});

test("progress is visible while a site is checked", async () => {
  const site = await openSite(treeOf(12));
  onTestFinished(() => site.close());
  const location = freshLocation();
  const id = await orderSite(location, site, { trial: true });
  await startKillable(location, settingsFor(site));
  const seen = new Set<string>();
  await vi.waitFor(
    async () => {
      const { pages, known_pages, failed_pages, status } = await runOf(location, id);
      seen.add(`${pages} of ${known_pages}, ${failed_pages} failed`);
      expect(status).toBe("succeeded");
    },
    { timeout: minutes(1.5), interval: 50 },
  );
  expect(seen.size).toBeGreaterThan(5);
  expect([...seen].at(-1)).toBe("12 of 12, 0 failed");
});
