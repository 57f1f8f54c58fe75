import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Db } from "db/schema";
import type { JobHandler, NewJob, Queue } from "~/platform/jobs/queue";
import { freshDatabase } from "../../support/database/database";
import { createQueue, eventually, handler, run } from "../../support/database/job-queue";

const enqueueFor = (db: Db, queue: Queue, id: string, job: Partial<NewJob>) =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto("run").values(run(id)).execute();
    await queue.enqueue(trx, { runId: id, ...job });
  });

/** Tasks in the order of their start; the test ends them. */
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
