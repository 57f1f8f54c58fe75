import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { Commit, Job, JobHandler } from "~/platform/jobs/queue";
import { freshDatabase } from "../../support/database/database";
import { createQueue, enqueueRuns, eventually, handler, job, later, OTHER_HOST, run, state, stored, storeOnce } from "../../support/database/job-queue";

test("jobs are taken in their order, up to the allowed number at once", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { now: () => 5 });
  const order: string[] = [];
  let atOnce = 0;
  let most = 0;
  const two = later();
  await enqueueRuns(db, queue, "c", "a", "b", "e", "d");
  await queue.work(
    handler({
      async work({ runId }) {
        order.push(runId);
        most = Math.max(most, (atOnce += 1));
        // Waits for the second job, which a slow database may start late.
        if (atOnce === 2) two.resolve();
        await two.promise;
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
        // Fails more often than allowed in a row.
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

test("a job that stores the same at each attempt before it fails is given up", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { pollMs: 5, retryMs: 0 });
  await enqueueRuns(db, queue, "a");
  const work: JobHandler["work"] = async ({ runId }, { checkpoint }) => {
    await checkpoint(storeOnce(runId), false);
    throw new Error("broken");
  };
  await queue.work(handler({ work }), { concurrency: 1 });
  await eventually(async () => expect(await state(db)).toBe("failed"));
  expect(await stored(db)).toEqual({ a: 3 });
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

test("a job starts only while its process has time, and one that is forgotten never starts", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { pollMs: 5 });
  let isFree = false;
  await queue.work(handler(), { concurrency: 2, isFree: () => isFree });
  await enqueueRuns(db, queue, "a", "b");
  const { id } = await db.selectFrom("job").select("id").where("run_id", "=", "a").executeTakeFirstOrThrow();
  await queue.forget(id);
  await delay(50);
  expect(await stored(db)).toEqual({ a: 0, b: 0 });
  isFree = true;
  await eventually(async () => expect(await stored(db)).toEqual({ a: 0, b: 1 }));
});
