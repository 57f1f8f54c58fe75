import { expect, test, vi } from "vitest";
import { createRetention } from "~/runs/retention.server";
import { createRunLists } from "~/runs/list.server";
import { isOver } from "~/runs/run";
import { createRuns, TooManyWaiting, type NewRun, type Runs } from "~/runs/run.server";
import { createStatistics } from "~/runs/statistics.server";
import { scanRun } from "~/runs/scan-job.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import type { Scanner } from "~/scan/types";
import { testBox } from "../../support/database/database";
import { addUsers } from "../../support/database/finished-runs";
import { checkedPage, element, fakeScanner, finding, uncheckedPage } from "../../support/database/page-results";
import { finished, REQUEST, emptyRuns } from "../../support/database/stored-runs";

const DAY = 86_400_000;

test("a requested run waits, with its page and its job", async () => {
  const { db, clock, runs, pages } = await emptyRuns();
  const run = await runs.start(REQUEST);
  expect(run).toMatchObject({
    ...REQUEST,
    status: "queued",
    createdAt: clock.time,
    finishedAt: null,
    engines: [],
  });
  expect(await runs.find(run.id, null)).toEqual(run);
  expect(await pages.ofRun(run.id)).toMatchObject([
    { url: REQUEST.url, status: "queued", position: 0, finalUrl: null },
  ]);
  expect(await db.selectFrom("job").select(["run_id", "state"]).execute()).toEqual([
    { run_id: run.id, state: "queued" },
  ]);
  expect(isOver(run)).toBe(false);
});

test("the number of waiting runs per account and per network is limited, except for individually paid ones", async () => {
  const { db, queue } = await emptyRuns();
  const runs = createRuns({ db, box: testBox, queues: { page: queue, site: createDatabaseQueue({ db, name: "site" }) }, mostWaiting: 2, retentionDays: 1 });
  const mine = { ...REQUEST, owner: "me" };
  const together = await Promise.allSettled(Array.from({ length: 5 }, () => runs.start(mine)));
  expect(together.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected", "rejected"]);
  await runs.start({ ...mine, paid: true });
  await runs.start({ ...REQUEST, owner: "you" });
  for (const party of ["one", "one", "other"]) await runs.start({ ...REQUEST, party });
  await expect(runs.start({ ...REQUEST, party: "one" })).rejects.toThrow(TooManyWaiting);
  expect(await db.selectFrom("run").select("id").execute()).toHaveLength(7);
});

test("an account may have a limit of its own for waiting runs", async () => {
  const { db, queue } = await emptyRuns();
  const runs = createRuns({ db, box: testBox, queues: { page: queue, site: createDatabaseQueue({ db, name: "site" }) }, mostWaiting: 2, retentionDays: 1 });
  await addUsers(db, "few", "many");
  await db.updateTable("user").set({ most_waiting: 1 }).where("id", "=", "few").execute();
  await db.updateTable("user").set({ most_waiting: 3 }).where("id", "=", "many").execute();
  for (const [owner, most] of [["few", 1], ["many", 3]] as const) {
    for (let count = 0; count < most; count += 1) await runs.start({ ...REQUEST, owner });
    await expect(runs.start({ ...REQUEST, owner })).rejects.toThrow(TooManyWaiting);
  }
});

test("a run is never stored without its job: a failure in between stores nothing", async () => {
  const { db } = await emptyRuns();
  const queue = { enqueue: () => Promise.reject(new Error("full")), position: async () => null, isHeldBack: async () => false, waiting: async () => 0, cancel: async () => {} };
  await expect(createRuns({ db, box: testBox, queues: { page: queue, site: queue }, retentionDays: 1 }).start(REQUEST)).rejects.toThrow("full");
  expect(await db.selectFrom("run").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("page").selectAll().execute()).toEqual([]);
});

test("the link to a run cannot be guessed", async () => {
  const { runs } = await emptyRuns();
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await runs.start(REQUEST)).id));
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(Buffer.from(id, "base64url")).toHaveLength(16);
});

test("another user's run is reported like a missing one", async () => {
  const { runs } = await emptyRuns();
  const anonymous = await runs.start(REQUEST);
  const mine = await runs.start({ ...REQUEST, owner: "me" });
  expect((await runs.find(mine.id, "me"))?.id).toBe(mine.id);
  expect(await runs.find(mine.id, "you")).toBeUndefined();
  expect(await runs.find(mine.id, null)).toBeUndefined();
  expect(await runs.find("missing", "me")).toBeUndefined();
  expect((await runs.find(anonymous.id, null))?.id).toBe(anonymous.id);
  expect((await runs.find(anonymous.id, "you"))?.id).toBe(anonymous.id);
});

test("the list shows a user's own runs, newest first, with pagination", async () => {
  const { db, clock, runs } = await emptyRuns();
  const mine: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    // Two runs of the same millisecond must not be lost at the border of two pages.
    clock.time += index % 2;
    mine.push((await runs.start({ ...REQUEST, owner: "me" })).id);
    await runs.start({ ...REQUEST, owner: "you" });
    await runs.start(REQUEST);
  }
  const lists = createRunLists({ db, runs });
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const part = await lists.list("me", { before, limit: 2 });
    seen.push(...part.runs.map(({ id }) => id));
    before = part.next;
  } while (before !== null);
  expect(seen).toHaveLength(5);
  expect([...seen].sort()).toEqual([...mine].sort());
  expect(seen[0]).toBe([mine[3], mine[4]].sort().at(-1));
  expect((await lists.list("me", { before: "nonsense", limit: 9 })).runs).toHaveLength(5);
  expect(await lists.list("nobody", { limit: 9 })).toEqual({ runs: [], next: null });
});

test("anonymous runs are kept for 30 days, others as configured", async () => {
  const { clock, runs } = await emptyRuns();
  expect((await runs.start(REQUEST)).expiresAt).toBe(clock.time + 30 * DAY);
  expect((await runs.start({ ...REQUEST, owner: "me" })).expiresAt).toBe(clock.time + 365 * DAY);
});

test("expired runs are deleted with all their data, and free their space", async () => {
  const { db, clock, runs } = await emptyRuns();
  const elements = Array.from({ length: 50 }, (_, index) => element({ html: `${index}`.padEnd(2_000, "x") }));
  const violations = [finding("label", { elementCount: 50, elements })];
  const heavy = checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
  for (let index = 0; index < 30; index += 1) await finished(db, runs, heavy);
  const kept = await finished(db, runs, heavy, { owner: "me" });

  const retention = createRetention({ db, batch: 7 });
  expect(await retention.deleteExpired(clock.time + 30 * DAY - 1)).toBe(0);
  expect(await retention.deleteExpired(clock.time + 30 * DAY)).toBe(30);

  expect(await db.selectFrom("run").select("id").execute()).toEqual([{ id: kept.id }]);
  for (const [table, rows] of [
    ["page", 1],
    ["finding", 1],
    ["stored_element", 50],
    ["element_text", 50],
    ["job", 1],
  ] as const) {
    expect(await db.selectFrom(table).selectAll().execute(), table).toHaveLength(rows);
  }
});

test("statistics of a new installation are empty", async () => {
  const { db, runs } = await emptyRuns();
  await runs.start(REQUEST);
  await finished(db, runs, uncheckedPage());
  expect(await createStatistics({ db, now: () => 1_000_000 }).read()).toEqual({
    last30days: 0,
    avgErrorsPerSite: null,
  });
});

test("statistics count sites, not runs, of the last 30 days", async () => {
  const { db, clock, runs } = await emptyRuns();
  const withErrors = (url: string, elementCount: number) =>
    checkedPage({
      url,
      findings: {
        violations: [finding("label", { elementCount })],
        incomplete: [finding("label")],
        passes: [],
        inapplicable: [],
      },
    });
  await finished(db, runs, withErrors("https://old.example/", 1_000));
  clock.time += 30 * DAY;
  await finished(db, runs, withErrors("https://shop.example/", 10));
  await finished(db, runs, withErrors("http://www.shop.example/imprint", 20));
  await finished(db, runs, withErrors("https://perfect.example/", 0));
  await finished(db, runs, uncheckedPage({ url: "https://gone.example/" }));

  const statistics = createStatistics({ db, now: () => clock.time });
  expect(await statistics.read()).toEqual({ last30days: 2, avgErrorsPerSite: 7.5 });

  await finished(db, runs, withErrors("https://new.example/", 30));
  clock.time += 59_999;
  expect(await statistics.read()).toMatchObject({ last30days: 2 });
  clock.time += 1;
  expect(await statistics.read()).toEqual({ last30days: 3, avgErrorsPerSite: 15 });
});

async function work(scanner: Scanner, context: Awaited<ReturnType<typeof emptyRuns>>, onChanged = vi.fn()) {
  await context.queue.work(scanRun({ runs: context.runs, scanner, onChanged }), {
    concurrency: scanner.parallel,
  });
  return onChanged;
}

const over = (runs: Runs, id: string) =>
  vi.waitFor(async () => {
    const run = await runs.find(id, null);
    if (!run || !isOver(run)) throw new Error("not over yet");
    return run;
  });

test("a visitor's request becomes a result, and every change is announced after it can be read", async () => {
  const context = await emptyRuns();
  const { runs } = context;
  const seen: Promise<string | undefined>[] = [];
  const onChanged = vi.fn((id: string) => void seen.push(runs.find(id, null).then((run) => run?.status)));
  await work(fakeScanner(), context, onChanged);
  const { id } = await runs.start(REQUEST);
  expect(await over(runs, id)).toMatchObject({ status: "succeeded", stats: { violations: 1 } });
  expect(await Promise.all(seen)).toEqual(["running", "succeeded"]);
});

test("while a page is checked, its run is running and no longer in the queue", async () => {
  const context = await emptyRuns();
  const { runs, pages, clock } = context;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const scanner = {
    ...fakeScanner(async ({ url }) => held.then(() => checkedPage({ url }))),
    parallel: 1,
  };
  const first = await runs.start(REQUEST);
  const second = await runs.start(REQUEST);
  expect(await Promise.all([first, second].map(({ id }) => runs.queuePosition(id)))).toEqual([1, 2]);
  await work(scanner, context);
  await vi.waitFor(async () => {
    expect(await runs.find(first.id, null)).toMatchObject({ status: "running", startedAt: clock.time });
  });
  expect(await pages.ofRun(first.id)).toMatchObject([{ status: "running" }]);
  expect(await Promise.all([first, second].map(({ id }) => runs.queuePosition(id)))).toEqual([null, 1]);
  release();
  await over(runs, second.id);
});

test("a stop during a check leaves a waiting run", async () => {
  const context = await emptyRuns();
  const { runs, pages, queue } = context;
  const scanner = fakeScanner(
    ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("closed")))),
  );
  await work(scanner, context);
  const { id } = await runs.start(REQUEST);
  await vi.waitFor(async () => expect(await runs.find(id, null)).toMatchObject({ status: "running" }));
  await queue.stop({ graceMs: 0 });
  expect(await runs.find(id, null)).toMatchObject({ status: "queued" });
  expect(await pages.ofRun(id)).toMatchObject([{ status: "queued" }]);
  expect(await runs.queuePosition(id)).toBe(1);
});

test("a run whose check crashes every time fails as crashed, and never counts as clean", async () => {
  const context = await emptyRuns();
  const { runs, pages } = context;
  const check = vi.fn(() => Promise.reject(new Error("no browser")));
  await work(fakeScanner(check), context);
  const { id } = await runs.start(REQUEST);
  const run = await over(runs, id);
  expect(run).toMatchObject({ status: "failed", reason: "crashed", finishedAt: 1_000_000 });
  expect(run.stats).toMatchObject({ pages: 1, failedPages: 1, passes: 0 });
  expect(await pages.ofRun(id)).toMatchObject([{ status: "failed", reason: "crashed" }]);
  expect(check).toHaveBeenCalledTimes(3);
});

test("a finished run does not change", async () => {
  const { db, runs } = await emptyRuns();
  const run = await finished(db, runs, checkedPage());
  await db.transaction().execute(async (trx) => {
    await runs.requeue(trx, run.id);
    await runs.fail(trx, run.id, "crashed");
  });
  expect(await runs.find(run.id, null)).toEqual(run);
});

test("a run of a plan with everything in full has the advanced analyses; a free check and a smaller plan do not", async () => {
  const { runs } = await emptyRuns();
  const isAdvanced = async (request: Partial<NewRun>) => (await runs.begin((await runs.start({ ...REQUEST, ...request })).id))?.advanced;
  expect(await isAdvanced({ owner: "pro", fullVersion: "2.2" })).toBe(true);
  expect(await isAdvanced({ owner: "basic", fullVersion: "2.1" })).toBe(false);
  expect(await isAdvanced({ owner: "new", fullVersion: "2.2", trial: true })).toBe(false);
  expect(await isAdvanced({ owner: null })).toBe(false);
});
