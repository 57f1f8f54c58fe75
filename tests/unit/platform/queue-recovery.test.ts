import { setTimeout as delay } from "node:timers/promises";
import type { Updateable } from "kysely";
import { expect, test, vi } from "vitest";
import type { Db } from "db/schema";
import type { JobTable } from "db/tables/service";
import type { Job, JobHandler, Queue } from "~/platform/jobs/queue";
import { leaseName, thisProcess } from "~/platform/jobs/worker-id.server";
import { freshDatabase } from "../../support/database/database";
import { createQueue, enqueueRuns, eventually, handler, job, later, OTHER_HOST, state, stored, storeOnce } from "../../support/database/job-queue";

// Unused process id: the kernel's maximum is 4,194,304.
const DEAD_PID = 2 ** 30;

/** Leaves a job as if another worker had taken it and crashed. */
async function abandon(db: Db, queue: Queue, lease: Updateable<JobTable>): Promise<void> {
  await enqueueRuns(db, queue, "a");
  await db
    .updateTable("job")
    .set({ state: "running", attempts: 1, lease_until: Date.now() + 3_600_000, ...lease })
    .execute();
}

test("a worker that has lost its lease stores nothing", async () => {
  const db = await freshDatabase();
  let time = 0;
  const now = () => time;
  const held = later<void>();
  const slow = createQueue(db, { now });
  await enqueueRuns(db, slow, "a");
  const started = later();
  await slow.work(
    handler({
      async work({ runId }) {
        started.resolve();
        await held.promise;
        return storeOnce(runId);
      },
    }),
    { concurrency: 1 },
  );
  await started.promise;

  time = 15_001;
  const quick = createQueue(db, { now, pollMs: 5, worker: OTHER_HOST });
  await quick.work(handler(), { concurrency: 1 });
  await eventually(async () => expect(await stored(db)).toEqual({ a: 1 }));
  const finished = await job(db);
  held.resolve();
  await slow.stop({ graceMs: 1_000 });

  expect(await stored(db)).toEqual({ a: 1 });
  expect(await job(db)).toEqual(finished);
});

test("a worker that has lost its lease stops working", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { heartbeatMs: 10 });
  await enqueueRuns(db, queue, "a");
  const started = later<AbortSignal>();
  await queue.work(
    handler({
      work: (_job, { signal }) => {
        started.resolve(signal);
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      },
    }),
    { concurrency: 1 },
  );
  const signal = await started.promise;
  const taken = { leased_by: leaseName(OTHER_HOST, "b"), lease_until: Date.now() + 60_000 };
  await db.updateTable("job").set(taken).execute();
  await eventually(async () => expect(signal.aborted).toBe(true));
  await delay(20);
  expect(await job(db)).toMatchObject({ state: "running", attempts: 1, ...taken });
});

test("long work extends its lease by heartbeats", async () => {
  const db = await freshDatabase();
  const times = { leaseMs: 600, heartbeatMs: 50, pollMs: 20 };
  const one = createQueue(db, times);
  const other = createQueue(db, { ...times, worker: OTHER_HOST });
  const workers: string[] = [];
  const workFor = (worker: string) =>
    handler({
      async work({ runId }) {
        workers.push(worker);
        await delay(1_500);
        return storeOnce(runId);
      },
    });
  await one.work(workFor("one"), { concurrency: 1 });
  await enqueueRuns(db, one, "a");
  await eventually(async () => expect(workers).toEqual(["one"]));
  await other.work(workFor("other"), { concurrency: 1 });
  await eventually(async () => expect(await state(db)).toBe("done"));
  expect(workers).toEqual(["one"]);
});

test("a job of a killed process of this host is taken at the next start, without waiting for its lease", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await abandon(db, queue, { leased_by: leaseName({ ...thisProcess(), pid: DEAD_PID }, "b") });
  const putBack = vi.fn(async (_trx: unknown, _job: Job) => {});
  await queue.work(handler({ putBack }), { concurrency: 1 });
  await eventually(async () => expect(await stored(db)).toEqual({ a: 1 }));
  expect(putBack).toHaveBeenCalledOnce();
  expect(await job(db)).toMatchObject({ state: "done", attempts: 1, deaths: 0, leased_by: null });
});

test("a job of an earlier process with our own pid is taken too, as in a restarted container", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await abandon(db, queue, { leased_by: leaseName({ ...thisProcess(), start: "earlier" }, "b") });
  await queue.work(handler(), { concurrency: 1 });
  await eventually(async () => expect(await stored(db)).toEqual({ a: 1 }));
});

test("a job of a running process or another host is not taken before its lease ends", async () => {
  const db = await freshDatabase();
  for (const worker of [OTHER_HOST, { ...thisProcess(), pid: process.ppid }]) {
    let time = 0;
    const queue = createQueue(db, { now: () => time, pollMs: 5 });
    await abandon(db, queue, { leased_by: leaseName(worker, "b"), lease_until: 1_000 });
    await queue.work(handler(), { concurrency: 1 });
    time = 999;
    await delay(50);
    expect(await stored(db)).toEqual({ a: 0 });
    time = 1_000;
    await eventually(async () => expect(await stored(db)).toEqual({ a: 1 }));
    await queue.stop({ graceMs: 0 });
    await db.deleteFrom("run").execute();
  }
});

test("crashes count fully against a job only when it ran alone, and it then comes after the others", async () => {
  const db = await freshDatabase();
  const leased_by = leaseName({ ...thisProcess(), pid: DEAD_PID }, "b");
  await enqueueRuns(db, createQueue(db), "a", "b");
  const giveUp = vi.fn(async () => {});
  const die = async (visiting: "beside" | "alone" | null) => {
    await db.updateTable("job").set({ state: "running", attempts: 1, leased_by, lease_until: 1, visiting }).where("run_id", "=", "a").execute();
    const queue = createQueue(db);
    await queue.work(handler({ giveUp }), { concurrency: 0 });
    await queue.stop({ graceMs: 0 });
    const { deaths, state, visiting: visits } = await db.selectFrom("job").selectAll().where("run_id", "=", "a").executeTakeFirstOrThrow();
    return { deaths, state, visits, place: await queue.position("a") };
  };
  expect(await die(null)).toEqual({ deaths: 0, state: "queued", visits: null, place: 1 });
  for (const visiting of ["beside", "beside", "alone", "beside"] as const) await die(visiting);
  for (let death = 0; death < 7; death += 1) await die("alone");
  expect(giveUp).not.toHaveBeenCalled();
  expect(await die(null)).toEqual({ deaths: 9, state: "queued", visits: null, place: 2 });
  expect(await die("alone")).toMatchObject({ deaths: 10, state: "failed" });
  expect(giveUp).toHaveBeenCalledOnce();
});

test("a regular stop during a visit alone resets the crashes of a job", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await enqueueRuns(db, queue, "a");
  await db.updateTable("job").set({ deaths: 9 }).execute();
  const work: JobHandler["work"] = async (_job, { signal, visits }) => {
    await visits(true);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("closed"))));
  };
  await queue.work(handler({ work }), { concurrency: 1 });
  await eventually(async () => expect(await job(db)).toMatchObject({ visiting: "alone" }));
  await queue.stop({ graceMs: 0 });
  expect(await job(db)).toMatchObject({ state: "queued", deaths: 1, visiting: null });
});

test("a worker without a lease cannot store partial results", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await enqueueRuns(db, queue, "a");
  let failure: unknown;
  await queue.work(
    handler({
      async work({ runId }, { checkpoint }) {
        await db.updateTable("job").set({ leased_by: leaseName(OTHER_HOST, "x") }).execute();
        await checkpoint(storeOnce(runId)).catch((error: unknown) => {
          failure = error;
          throw error;
        });
        return storeOnce(runId);
      },
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(failure).toBeInstanceOf(Error));
  expect(await stored(db)).toEqual({ a: 0 });
  expect(await state(db)).toBe("running");
});
