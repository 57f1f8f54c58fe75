// Tests of several processes on one PostgreSQL database: each "process" here is a separate connection, as in real processes.
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgres } from "db/postgres.server";
import type { Db, Trx } from "db/schema";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import type { JobHandler } from "~/platform/jobs/queue";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { createSharedHostSlots } from "~/platform/installation/shared-host-slots";
import { addressOf, freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { handler, storeOnce } from "../../support/database/job-queue";
import { checkedPage } from "../../support/database/page-results";

const WITHIN = { timeout: 20_000, interval: 50 };

async function process(db: Db, { mayLead = true, isWorking = false } = {}) {
  const lost: unknown[] = [];
  const installation = await joinInstallation({ url: addressOf(db), mayLead, isWorking, log: (_event, fields) => lost.push(fields) });
  onTestFinished(() => installation.stop());
  return Object.assign(installation, { lost });
}

/** Ends the connections of all processes, as a restart of the server does. */
const dropConnections = (db: Db) => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db);

test("news reach the other processes; those of a transaction reach all, and only when it ends well", async () => {
  const db = await freshDatabase();
  const [one, two] = [await process(db), await process(db)];
  const heard = { one: [] as unknown[], two: [] as unknown[] };
  one.on("run changed", (id) => heard.one.push(id));
  two.on("run changed", (id) => heard.two.push(id));
  two.on("printed", (id) => heard.two.push(id));
  one.notify("run changed", "a");
  await expect(
    db.transaction().execute(async (trx) => {
      await one.notifyAfterCommit(trx, "run changed", "lost");
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  await db.transaction().execute((trx) => one.notifyAfterCommit(trx, "run changed", "b"));
  one.notify("printed", "c");
  await vi.waitFor(() => expect(heard.two).toEqual(["a", "b", "c"]), WITHIN);
  expect(heard.one).toEqual(["b"]);
});

test("one process leads, and another one when it has ended; a worker never does", async () => {
  const db = await freshDatabase();
  const [worker, first, second] = [await process(db, { mayLead: false }), await process(db), await process(db)];
  const began = vi.fn<() => void>();
  second.onLead(began);
  expect([worker.leads(), first.leads(), second.leads()]).toEqual([false, true, false]);
  await first.stop();
  await vi.waitFor(() => expect(second.leads()).toBe(true), WITHIN);
  expect(began).toHaveBeenCalledTimes(1);
  expect(worker.leads()).toBe(false);
});

test("a lock is of one process, once, and is free when it is given back or the process ends", async () => {
  const db = await freshDatabase();
  const [one, two] = [await process(db), await process(db)];
  const give = await one.lock("site a");
  expect(give).not.toBeNull();
  expect([await one.lock("site a"), await two.lock("site a"), typeof (await two.lock("site b"))]).toEqual([null, null, "function"]);
  give?.();
  give?.();
  const again = await vi.waitFor(async () => (await two.lock("site a")) ?? Promise.reject(new Error("taken")), WITHIN);
  expect(await one.lock("site a")).toBeNull();
  again();
  await one.lock("site c");
  await one.stop();
  await vi.waitFor(async () => expect(await two.lock("site c")).not.toBeNull(), WITHIN);
});

test("a lost connection is told once and opened again: listeners look for themselves, and locks are gone", async () => {
  const db = await freshDatabase();
  const [one, two] = [await process(db), await process(db)];
  const heard: unknown[] = [];
  two.on("run changed", (id) => heard.push(id));
  const give = await one.lock("site a");
  await dropConnections(db);
  await vi.waitFor(() => expect(heard).toEqual([null]), WITHIN);
  expect([one.lost.length, two.lost.length]).toEqual([1, 1]);
  const theirs = await vi.waitFor(async () => (await two.lock("site a")) ?? Promise.reject(new Error("taken")), WITHIN);
  // The lock no longer belongs to it.
  give?.();
  expect(await one.lock("site a")).toBeNull();
  theirs();
  await vi.waitFor(() => expect([one.leads(), two.leads()].filter(Boolean)).toHaveLength(1), WITHIN);
  one.notify("run changed", "b");
  await vi.waitFor(() => expect(heard).toEqual([null, "b"]), WITHIN);
});

test("processes that work are counted, once each, until they end, and again after a lost connection", async () => {
  const db = await freshDatabase();
  const web = await process(db);
  expect(await web.workers()).toBe(0);
  const [one, two] = [await process(db, { isWorking: true, mayLead: false }), await process(db, { isWorking: true })];
  expect([await web.workers(), await one.workers()]).toEqual([2, 2]);
  // Other locks are not counted.
  await two.lock("site a");
  await two.stop();
  await vi.waitFor(async () => expect(await web.workers()).toBe(1), WITHIN);
  await dropConnections(db);
  await expect(web.workers()).rejects.toThrow();
  await vi.waitFor(async () => expect(await web.workers()).toBe(1), WITHIN);
});

test("all processes have the time of the database", async () => {
  const db = await freshDatabase();
  const ahead = vi.spyOn(Date, "now").mockImplementation(() => Math.round(performance.timeOrigin + performance.now()) + 3_600_000);
  onTestFinished(() => ahead.mockRestore());
  const one = await process(db);
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
  expect(Math.abs(one.now() - (rows[0]?.ms ?? 0))).toBeLessThan(5_000);
  expect(Date.now() - one.now()).toBeGreaterThan(3_500_000);
});

test("a job that one process adds is taken by another one at once, and stops there when the first cancels it", async () => {
  const db = await freshDatabase();
  const { id } = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })]);
  // Without notifications, nothing would happen for a minute.
  const slow = { name: "site", pollMs: 60_000, heartbeatMs: 60_000 };
  const [adds, works] = [createDatabaseQueue({ db, ...slow, installation: await process(db) }), createDatabaseQueue({ db, ...slow, installation: await process(db) })];
  let signal: AbortSignal | undefined;
  const work: JobHandler["work"] = (_job, context) => {
    signal = context.signal;
    return new Promise((_resolve, reject) => context.signal.addEventListener("abort", () => reject(new Error("told to stop"))));
  };
  await works.work({ work, putBack: () => Promise.resolve(), giveUp: () => Promise.resolve() }, { concurrency: 1 });
  await db.transaction().execute((trx) => adds.enqueue(trx, { runId: id }));
  await vi.waitFor(() => expect(signal?.aborted).toBe(false), WITHIN);
  await db.transaction().execute((trx) => adds.cancel(trx, id));
  await vi.waitFor(() => expect(signal?.aborted).toBe(true), WITHIN);
  await works.stop({ graceMs: 0 });
});

test("a job is taken at once by the process that adds it, and its cancellation noticed, also when the transaction takes long", async () => {
  const db = await freshDatabase();
  const { id } = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })]);
  const queue = createDatabaseQueue({ db, pollMs: 60_000, heartbeatMs: 60_000, installation: await process(db) });
  const slowly = (change: (trx: Trx) => Promise<unknown>) => db.transaction().execute((trx) => change(trx).then(() => delay(300)));
  let signal: AbortSignal | undefined;
  const work: JobHandler["work"] = (_job, context) => {
    signal = context.signal;
    return new Promise((_resolve, reject) => context.signal.addEventListener("abort", () => reject(new Error("told to stop"))));
  };
  await queue.work({ work, putBack: () => Promise.resolve(), giveUp: () => Promise.resolve() }, { concurrency: 1 });
  await slowly((trx) => queue.enqueue(trx, { runId: id }));
  await vi.waitFor(() => expect(signal?.aborted).toBe(false), WITHIN);
  await slowly((trx) => queue.cancel(trx, id));
  await vi.waitFor(() => expect(signal?.aborted).toBe(true), WITHIN);
  await queue.stop({ graceMs: 0 });
});

test("turns go on where other processes have taken jobs: a new party does not come before all who wait", async () => {
  const db = await freshDatabase();
  const { id } = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })]);
  const [adds, works] = [createDatabaseQueue({ db, installation: await process(db) }), createDatabaseQueue({ db, installation: await process(db) })];
  const add = (party: string) => db.transaction().execute((trx) => adds.enqueue(trx, { runId: id, party }));
  for (const party of ["a", "a", "a", "a", "a", "b"]) await add(party);
  // The other process has reached the fourth turn of "a".
  await db.updateTable("job").set({ state: "done" }).where("turn", "<", 4).execute();
  await works.work({ work: () => new Promise(() => {}), putBack: () => Promise.resolve(), giveUp: () => Promise.resolve() }, { concurrency: 1 });
  await vi.waitFor(async () => expect(await db.selectFrom("job").select("turn").where("state", "=", "running").execute()).toEqual([{ turn: 4 }]), WITHIN);
  await add("c");
  expect(await db.selectFrom("job").select("turn").where("party", "=", "c").execute()).toEqual([{ turn: 5 }]);
  await works.stop({ graceMs: 0 });
});

test("parallel workers do each job once, in the order of turns, without polling", async () => {
  const db = await freshDatabase();
  const { id } = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })]);
  // Each process has its own connections. Without notifications, a missed job would wait for a minute.
  const queueOf = async () => {
    const own = await openPostgres(addressOf(db));
    onTestFinished(() => own.destroy());
    return createDatabaseQueue({ db: own, pollMs: 60_000, installation: await process(db) });
  };
  const workers = [await queueOf(), await queueOf(), await queueOf(), await queueOf()];
  const adds = await queueOf();
  const begun: string[] = [];
  const work: JobHandler["work"] = async (job) => {
    begun.push(job.id);
    await delay(1);
    return storeOnce(id);
  };
  const add = (party: string) => db.transaction().execute((trx) => adds.enqueue(trx, { runId: id, party }));
  const left = async () => (await db.selectFrom("job").select("id").where("state", "!=", "done").execute()).length;
  const { pages: before } = await db.selectFrom("run").select("pages").executeTakeFirstOrThrow();

  for (let count = 0; count < 60; count += 1) await add(count < 30 ? "early" : `late ${count}`);
  const byTurn = await db.selectFrom("job").select("id").orderBy("turn").orderBy(sql`rowid`).execute();
  await Promise.all(workers.map((queue) => queue.work(handler({ work }), { concurrency: 1 })));
  await vi.waitFor(async () => expect(await left()).toBe(0), WITHIN);
  // Some others are taken in the same moment; by age, late parties would be 30 places away.
  for (const [place, job] of byTurn.entries()) expect(Math.abs(begun.indexOf(job.id) - place)).toBeLessThan(3 * workers.length);

  // Now the workers wait: some jobs arrive alone, others at once.
  for (let count = 0; count < 20; count += 1) await add("alone").then(() => delay(count));
  await Promise.all(Array.from({ length: 60 }, (_, count) => add(`party ${count % 7}`)));
  await vi.waitFor(async () => expect(await left()).toBe(0), WITHIN);
  expect(begun).toHaveLength(140);
  expect(new Set(begun).size).toBe(140);
  expect(await db.selectFrom("run").select("pages").executeTakeFirst()).toEqual({ pages: before + 140 });
  await Promise.all(workers.map((queue) => queue.stop({ graceMs: 0 })));
});

test("a visit begins while another process writes, but not after the lease was lost", async () => {
  const db = await freshDatabase();
  const { id } = await finishedRun(db, [checkedPage({ url: "https://shop.example/" })]);
  const queue = createDatabaseQueue({ db, pollMs: 60_000, heartbeatMs: 60_000, installation: await process(db) });
  const other = await openPostgres(addressOf(db));
  onTestFinished(() => other.destroy());
  const outcomes: unknown[] = [];
  const work: JobHandler["work"] = async (_job, { visits }) => {
    const lock = await other.startTransaction().execute();
    outcomes.push(await visits(true).then(() => db.selectFrom("job").select("visiting").execute()));
    await lock.rollback().execute();
    await db.updateTable("job").set({ leased_by: "elsewhere/1/1/claim" }).execute();
    outcomes.push(await visits(false).catch((error: unknown) => error));
    return () => Promise.resolve();
  };
  await queue.work(handler({ work }), { concurrency: 1 });
  await db.transaction().execute((trx) => queue.enqueue(trx, { runId: id }));
  await vi.waitFor(() => expect(outcomes).toEqual([[{ visiting: "alone" }], expect.objectContaining({ name: "LeaseLost" })]), WITHIN);
  await queue.stop({ graceMs: 0 });
});

test("visitors of a host share its slots, and a waiting one gives up with its signal", async () => {
  const db = await freshDatabase();
  const [one, two] = [createSharedHostSlots(await process(db)), createSharedHostSlots(await process(db))];
  const { signal } = new AbortController();
  const [first, second] = [await one.acquire("a.example", 2, signal), await two.acquire("a.example", 2, signal)];
  await expect(one.acquire("a.example", 2, AbortSignal.timeout(300))).rejects.toThrow();
  (await one.acquire("b.example", 1, signal))();
  const third = two.acquire("a.example", 2, signal);
  first();
  (await third)();
  second();
});
