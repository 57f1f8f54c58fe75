import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { LINKS, openProcesses, openRuns, startElsewhere, startSite, stateOf, workerOf } from "../../support/servers/installation";
import { WITHIN } from "../../support/browser/run-pages";

/** Maximum number of pages of one site at once, in all workers together. */
const AT_ONCE = 4;

test("two workers together visit a site no more at once than it is to bear, and complete both scans of it", async () => {
  const { site, mostOpen, start } = await openProcesses(400);
  // Three pages at once in each.
  const [one] = await Promise.all([start("worker"), start("worker")]);
  const open = await openRuns(one);
  const first = await startSite(open, site, "ada");
  const second = await startElsewhere(open, site, await workerOf(open, first));
  // Pages of canceled scans are closed after this time.
  await delay(1_000);
  mostOpen();
  for (const id of [first, second]) await expect.poll(() => stateOf(open, id), WITHIN).toEqual({ status: "succeeded", pages: LINKS + 1 });
  const most = mostOpen();
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
});

test("a scan whose worker is killed goes on in another one within half a minute, and no page is stored twice", async () => {
  const { site, start } = await openProcesses(300);
  const first = await start("worker");
  const id = await startSite(await openRuns(first), site, "ada");
  await expect.poll(() => site.requests.filter((path) => path.startsWith("/page-")).length, WITHIN).toBeGreaterThan(2);
  // Worker of another machine: its process id has no meaning here.
  await (await first.database()).updateTable("job").set({ leased_by: "elsewhere/1/1/claim" }).execute();
  const second = await start("worker");
  const killedAt = Date.now();
  await first.kill();
  await second.logged(({ msg }) => msg === "job taken back");
  expect(Date.now() - killedAt).toBeLessThan(30_000);
  const open = await openRuns(second);
  await expect.poll(() => stateOf(open, id), WITHIN).toEqual({ status: "succeeded", pages: LINKS + 1 });
  const pages = await open.db.selectFrom("page").select("url").where("run_id", "=", id).execute();
  expect(pages.map(({ url }) => url).sort()).toEqual(["/", ...Array.from({ length: LINKS }, (_, index) => `/page-${index}`)].map((path) => site.url(path)).sort());
});

test("a page whose worker is killed while it checks it for another one is checked by that one", async () => {
  const { site, start } = await openProcesses(2_500);
  // One page at once in each, so that the second worker gets some.
  const workers = await Promise.all([start("worker", { SCAN_CONCURRENCY: "1" }), start("worker", { SCAN_CONCURRENCY: "1" })]);
  const open = await openRuns(workers[0]);
  const id = await startSite(open, site, "ada");
  const taken = () => open.db.selectFrom("job").select("leased_by").where("queue", "=", "remote").where("state", "=", "running").executeTakeFirst();
  await expect.poll(taken, WITHIN).toBeDefined();
  const owner = await workerOf(open, id);
  const [left, killed] = String(workers[0].pid) === owner ? workers : workers.toReversed();
  await killed?.kill();
  // The connection above may have been that of the killed worker.
  const { db } = await openRuns(left ?? workers[0]);
  await expect.poll(() => db.selectFrom("run").select(["status", "pages"]).where("id", "=", id).executeTakeFirst(), WITHIN).toEqual({ status: "succeeded", pages: LINKS + 1 });
  expect(await db.selectFrom("page").select("url").where("run_id", "=", id).where("status", "=", "failed").execute()).toEqual([]);
  expect(await db.selectFrom("remote_check").select("state").execute()).toEqual([]);
});
