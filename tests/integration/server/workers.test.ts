import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { LINKS, openProcesses, openRuns, startElsewhere, startSite, stateOf, workerOf } from "../../support/servers/installation";
import { WITHIN } from "../../support/browser/run-pages";

test("two workers visit a site no more at once than one does, and complete both scans of it", async () => {
  const { site, mostOpen, start } = await openProcesses(400);
  // One page at once.
  const few = { SCAN_CONCURRENCY: "1" };
  const [one] = await Promise.all([start("worker", few), start("worker", few)]);
  const open = await openRuns(one);
  const first = await startSite(open, site, "ada");
  const second = await startElsewhere(open, site, await workerOf(open, first));
  // Pages of canceled scans are closed after this time.
  await delay(1_000);
  mostOpen();
  for (const id of [first, second]) await expect.poll(() => stateOf(open, id), WITHIN).toEqual({ status: "succeeded", pages: LINKS + 1 });
  expect(mostOpen()).toBe(1);
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
