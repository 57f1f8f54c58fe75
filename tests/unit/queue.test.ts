import { setTimeout as delay } from "node:timers/promises";
import type { Updateable } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "db/schema";
import type { JobTable } from "db/tables/service";
import type { Commit, Job, JobHandler, NewJob, Queue } from "~/platform/jobs/queue";
import { createSqliteQueue, type SqliteQueueOptions } from "~/platform/jobs/sqlite-queue.server";
import { leaseName, thisProcess } from "~/platform/jobs/worker-id.server";
import { freshDatabase } from "../support/database";

const OTHER_HOST = { host: "elsewhere", pid: 1, start: "a" };
// No process has this pid: the kernel's highest is 4,194,304.
const DEAD_PID = 2 ** 30;

function createQueue(db: Db, options: Partial<SqliteQueueOptions> = {}): Queue {
  // No polling, so that only the tests' own actions have an effect.
  const queue = createSqliteQueue({ db, pollMs: 3_600_000, retryMs: 1, ...options });
  onTestFinished(() => queue.stop({ graceMs: 0 }));
  return queue;
}

/** Counts in `run.pages` how often a run's result was stored: the count is rolled back with the transaction. */
const storeOnce =
  (runId: string): Commit =>
  async (trx) => {
    await trx
      .updateTable("run")
      .set((eb) => ({ pages: eb("pages", "+", 1) }))
      .where("id", "=", runId)
      .execute();
  };

function handler(overrides: Partial<JobHandler> = {}): JobHandler {
  return {
    work: async ({ runId }) => storeOnce(runId),
    putBack: vi.fn(async () => {}),
    giveUp: vi.fn(async () => {}),
    ...overrides,
  };
}

async function enqueueRuns(db: Db, queue: Queue, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await db.transaction().execute(async (trx) => {
      await trx.insertInto("run").values(run(id)).execute();
      await queue.enqueue(trx, { runId: id });
    });
  }
}

function run(id: string) {
  return {
    id,
    url: "https://shop.example/",
    site: "shop.example",
    scope: "page",
    standard_version: "2.2",
    standard_level: "AA",
    status: "queued",
    created_at: 0,
    expires_at: 1,
  } as const;
}

const stored = async (db: Db) =>
  Object.fromEntries(
    (await db.selectFrom("run").select(["id", "pages"]).orderBy("id").execute()).map(({ id, pages }) => [
      id,
      pages,
    ]),
  );
const job = (db: Db) => db.selectFrom("job").selectAll().executeTakeFirstOrThrow();
const state = async (db: Db) => (await job(db)).state;
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 3_000, interval: 10 });

/** A promise that the test resolves. */
function later<Value = void>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((keep) => (resolve = keep));
  return { promise, resolve };
}

/** A job taken by another worker and never finished. */
async function abandon(db: Db, queue: Queue, lease: Updateable<JobTable>): Promise<void> {
  await enqueueRuns(db, queue, "a");
  await db
    .updateTable("job")
    .set({ state: "running", attempts: 1, lease_until: Date.now() + 3_600_000, ...lease })
    .execute();
}

test("jobs are taken in their order, up to the allowed number at once", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { now: () => 5 });
  const order: string[] = [];
  let atOnce = 0;
  let most = 0;
  await enqueueRuns(db, queue, "c", "a", "b", "e", "d");
  await queue.work(
    handler({
      async work({ runId }) {
        order.push(runId);
        most = Math.max(most, (atOnce += 1));
        await delay(5);
        atOnce -= 1;
        return storeOnce(runId);
      },
    }),
    { concurrency: 2 },
  );
  await eventually(async () => expect(await stored(db)).toEqual({ a: 1, b: 1, c: 1, d: 1, e: 1 }));
  expect(order).toEqual(["c", "a", "b", "e", "d"]);
  expect(most).toBe(2);
});

test("two workers never take the same job", async () => {
  const db = await freshDatabase();
  const here = createQueue(db, { pollMs: 5 });
  const there = createQueue(db, { pollMs: 5, worker: OTHER_HOST });
  const taken: string[] = [];
  const work: JobHandler["work"] = async ({ runId }) => {
    taken.push(runId);
    await delay(1);
    return storeOnce(runId);
  };
  const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
  await Promise.all([
    here.work(handler({ work }), { concurrency: 3 }),
    there.work(handler({ work }), { concurrency: 3 }),
  ]);
  await enqueueRuns(db, here, ...ids);
  await eventually(async () => expect(Object.values(await stored(db))).toEqual(ids.map(() => 1)));
  expect([...taken].sort()).toEqual([...ids].sort());
});

test("a job is taken as soon as its transaction is committed, and never after a rollback", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await queue.work(handler(), { concurrency: 1 });

  const undone = db.transaction().execute(async (trx) => {
    await trx.insertInto("run").values(run("undone")).execute();
    await queue.enqueue(trx, { runId: "undone" });
    await delay(20);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await enqueueRuns(db, queue, "kept");

  await eventually(async () => expect(await stored(db)).toEqual({ kept: 1 }));
});

test("a result that cannot be stored is stored completely by the next attempt", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { pollMs: 5 });
  await enqueueRuns(db, queue, "a");
  await queue.work(
    handler({
      work:
        async ({ runId, attempt }) =>
        async (trx) => {
          await storeOnce(runId)(trx);
          if (attempt === 1) throw new Error("disk full");
        },
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(await job(db)).toMatchObject({ state: "done", attempts: 2 }));
  expect(await stored(db)).toEqual({ a: 1 });
});

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

test("stopping returns running jobs unchanged, and takes no new one", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await enqueueRuns(db, queue, "a", "b");
  const before = await job(db);
  const putBack = vi.fn(async (_trx: unknown, _job: Job) => {});
  const settled = vi.fn();
  const work: JobHandler["work"] = (_job, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("closed"))));
  await queue.work(handler({ work, putBack, settled }), { concurrency: 1 });
  await eventually(async () => expect(await state(db)).toBe("running"));

  await queue.stop({ graceMs: 10 });

  expect(await job(db)).toEqual(before);
  expect(putBack.mock.calls.map(([, { runId }]) => runId)).toEqual(["a"]);
  expect(settled).toHaveBeenCalledOnce();
  await delay(20);
  expect(await db.selectFrom("job").select("state").execute()).toEqual([
    { state: "queued" },
    { state: "queued" },
  ]);
});

test("stopping lets work finish within the grace period", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await enqueueRuns(db, queue, "a");
  await queue.work(
    handler({
      async work({ runId }) {
        await delay(50);
        return storeOnce(runId);
      },
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(await state(db)).toBe("running"));
  await queue.stop({ graceMs: 5_000 });
  expect(await state(db)).toBe("done");
  expect(await stored(db)).toEqual({ a: 1 });
});

test("stopping does not wait for work that ignores it, and never stores its result", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  const held = later<void>();
  await enqueueRuns(db, queue, "a");
  await queue.work(
    handler({
      async work({ runId }) {
        await held.promise;
        return storeOnce(runId);
      },
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(await state(db)).toBe("running"));
  const begin = performance.now();
  await queue.stop({ graceMs: 50 });
  expect(performance.now() - begin).toBeLessThan(2_000);
  held.resolve();
  await delay(20);
  expect(await job(db)).toMatchObject({ state: "queued", attempts: 0 });
  expect(await stored(db)).toEqual({ a: 0 });
});

test("a failed attempt is repeated; after the third one the job is given up", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { pollMs: 5 });
  const attempts: number[] = [];
  const putBack = vi.fn(async () => {});
  const giveUp = vi.fn<JobHandler["giveUp"]>(async (trx, { runId }) => storeOnce(runId)(trx));
  await enqueueRuns(db, queue, "a");
  await queue.work(
    handler({
      async work({ attempt }) {
        attempts.push(attempt);
        throw new TypeError("no such thing");
      },
      putBack,
      giveUp,
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(await state(db)).toBe("failed"));
  await delay(30);
  expect(attempts).toEqual([1, 2, 3]);
  expect(putBack).toHaveBeenCalledTimes(2);
  expect(giveUp).toHaveBeenCalledOnce();
  expect(await stored(db)).toEqual({ a: 1 });
  expect(await job(db)).toMatchObject({ attempts: 3, error: "TypeError: no such thing", leased_by: null });
});

test("a job and its run are given up together, or not at all", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { pollMs: 5 });
  await enqueueRuns(db, queue, "a");
  const giveUp = vi.fn(async () => {
    throw new Error("cannot write");
  });
  await queue.work(
    handler({
      async work() {
        throw new Error("broken");
      },
      giveUp,
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(giveUp).toHaveBeenCalledOnce());
  await delay(20);
  // Its lease expires, and another worker takes it.
  expect(await job(db)).toMatchObject({ state: "running", attempts: 3 });
});

test("the position in the queue is known until the job is taken", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { now: () => 5 });
  await enqueueRuns(db, queue, "c", "a", "b");
  const places = () => Promise.all(["c", "a", "b", "none"].map((id) => queue.position(id)));
  expect(await places()).toEqual([1, 2, 3, null]);
  const held = later<Commit>();
  await queue.work(handler({ work: () => held.promise }), { concurrency: 1 });
  await eventually(async () => expect(await places()).toEqual([null, 1, 2, null]));
  held.resolve(async () => {});
});

test("a long job keeps its partial results, and its earlier failures no longer count", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { pollMs: 5, retryMs: 0 });
  await enqueueRuns(db, queue, "a");
  let attempts = 0;
  await queue.work(
    handler({
      async work({ runId }, { checkpoint }) {
        attempts += 1;
        // Fails more often than a job may fail in a row.
        if (attempts <= 6) {
          await checkpoint(storeOnce(runId));
          throw new Error("broken");
        }
        return storeOnce(runId);
      },
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(await state(db)).toBe("done"));
  expect(await stored(db)).toEqual({ a: 7 });
});

const enqueueFor = (db: Db, queue: Queue, id: string, job: Partial<NewJob>) =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto("run").values(run(id)).execute();
    await queue.enqueue(trx, { runId: id, ...job });
  });

/** Tasks that the test ends, in the order of their start. */
function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const pauses = new Map<string, () => () => void>();
  const work: JobHandler["work"] = async ({ runId }, { pause, signal }) => {
    begun.push(runId);
    pauses.set(runId, pause);
    await new Promise<void>((resolve) => {
      ends.set(runId, resolve);
      signal.addEventListener("abort", () => resolve());
    });
    return async () => {};
  };
  return { begun, ends, pauses, work };
}

test("parties take turns by weight, and a new party waits for few turns", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { weightOf: (party) => (party === "heavy" ? 2 : 1) });
  for (let job = 0; job < 6; job += 1) await enqueueFor(db, queue, `heavy${job}`, { party: "heavy" });
  for (let job = 0; job < 6; job += 1) await enqueueFor(db, queue, `light${job}`, { party: "light" });
  const { begun, ends, work } = heldWork();
  await queue.work(handler({ work }), { concurrency: 1 });
  const next = async () => {
    const count = begun.length;
    ends.get(begun.at(-1) ?? "")?.();
    await eventually(async () => expect(begun).toHaveLength(count + 1));
  };
  await eventually(async () => expect(begun).toHaveLength(1));
  for (let job = 0; job < 5; job += 1) await next();
  expect(begun.filter((id) => id.startsWith("heavy"))).toHaveLength(4);
  await enqueueFor(db, queue, "new", { party: "new" });
  for (let job = 0; job < 4; job += 1) await next();
  expect(begun.slice(-4)).toContain("new");
});

test("a heavy party comes before many light ones, and newly arriving ones do not delay its next job", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { weightOf: (party) => (party === "heavy" ? 4 : 1) });
  for (let party = 0; party < 20; party += 1) await enqueueFor(db, queue, `light${party}`, { party: `light${party}` });
  for (const id of ["heavy0", "heavy1"]) await enqueueFor(db, queue, id, { party: "heavy" });
  const { begun, ends, work } = heldWork();
  await queue.work(handler({ work }), { concurrency: 1 });
  await eventually(async () => expect(begun).toEqual(["heavy0"]));
  await enqueueFor(db, queue, "late", { party: "late" });
  ends.get("heavy0")?.();
  await eventually(async () => expect(begun).toEqual(["heavy0", "heavy1"]));
});

test("of one lane, only one job runs, and the next one is reported as held back", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  for (const id of ["a", "b"]) await enqueueFor(db, queue, id, { party: "ada", lane: "ada shop" });
  await enqueueFor(db, queue, "c", { party: "ada", lane: "ada blog" });
  const { begun, ends, work } = heldWork();
  await queue.work(handler({ work }), { concurrency: 3 });
  await eventually(async () => expect(begun).toEqual(["a", "c"]));
  expect([await queue.isHeldBack("b"), await queue.isHeldBack("c")]).toEqual([true, false]);
  ends.get("a")?.();
  await eventually(async () => expect(begun).toEqual(["a", "c", "b"]));
  expect(await queue.isHeldBack("b")).toBe(false);
});

test("a paused job frees its slot for others, but its party never has more than all slots", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  for (const id of ["a", "b", "c", "d"]) await enqueueFor(db, queue, id, { party: "ada" });
  await enqueueFor(db, queue, "e", { party: "eve" });
  const { begun, pauses, work } = heldWork();
  await queue.work(handler({ work }), { concurrency: 2 });
  await eventually(async () => expect(begun).toEqual(["a", "e"]));
  pauses.get("a")?.();
  await eventually(async () => expect(begun).toEqual(["a", "e", "b"]));
  pauses.get("b")?.();
  await delay(20);
  expect(begun).toEqual(["a", "e", "b"]);
});

test("a party without a running job may use one extra slot", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  for (const id of ["a", "b", "c"]) await enqueueFor(db, queue, id, { party: "ada" });
  const { begun, work } = heldWork();
  await queue.work(handler({ work }), { concurrency: 2, newcomers: 1 });
  await eventually(async () => expect(begun).toEqual(["a", "b"]));
  for (const id of ["d", "e"]) await enqueueFor(db, queue, id, { party: "eve" });
  await eventually(async () => expect(begun).toEqual(["a", "b", "d"]));
  await delay(20);
  expect(begun).toEqual(["a", "b", "d"]);
});

test("a job that waits for its next attempt does not wait longer when the clock is set back", async () => {
  const db = await freshDatabase();
  let time = 7_200_000;
  const queue = createQueue(db, { now: () => time, pollMs: 5, retryMs: 50 });
  await enqueueRuns(db, queue, "a");
  const work = vi.fn<JobHandler["work"]>(async ({ runId }) => storeOnce(runId));
  work.mockRejectedValueOnce(new Error("broken"));
  await queue.work(handler({ work }), { concurrency: 1 });
  await eventually(async () => expect(await job(db)).toMatchObject({ state: "queued", attempts: 1 }));
  time = 0;
  await eventually(async () => expect(await stored(db)).toEqual({ a: 1 }));
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

test("partial results that cannot be stored are rolled back completely", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db);
  await enqueueRuns(db, queue, "a");
  await queue.work(
    handler({
      async work({ runId }, { checkpoint }) {
        await checkpoint(async (trx) => {
          await storeOnce(runId)(trx);
          throw new Error("full");
        }).catch(() => {});
        return async () => {};
      },
    }),
    { concurrency: 1 },
  );
  await eventually(async () => expect(await state(db)).toBe("done"));
  expect(await stored(db)).toEqual({ a: 0 });
});
