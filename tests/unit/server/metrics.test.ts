import { expect, test } from "vitest";
import { createMetrics } from "~/runs/metrics.server";
import { freshDatabase } from "../../support/database/database";
import { createQueue, run } from "../../support/database/job-queue";

test("the oldest waiting scan counts from its request, or from the time of its next attempt", async () => {
  const db = await freshDatabase();
  let at = 1_000;
  const queue = createQueue(db, { now: () => at });
  const enqueue = (id: string) =>
    db.transaction().execute(async (trx) => {
      await trx.insertInto("run").values(run(id)).execute();
      await queue.enqueue(trx, { runId: id });
    });
  const { backlog } = createMetrics({ db });
  const oldest = async () => (await backlog()).jobs.map((each) => each.oldest);
  await enqueue("first");
  at = 2_000;
  await enqueue("second");
  expect(await oldest()).toEqual([1_000]);
  await db.updateTable("job").set({ run_at: 5_000 }).where("run_id", "=", "first").execute();
  expect(await oldest()).toEqual([2_000]);
});

test("a scan that waits for another one of its website does not count as waiting long", async () => {
  const db = await freshDatabase();
  const queue = createQueue(db, { now: () => 1_000 });
  for (const id of ["running", "waiting"]) {
    await db.transaction().execute(async (trx) => {
      await trx.insertInto("run").values(run(id)).execute();
      await queue.enqueue(trx, { runId: id, lane: "shop.example" });
    });
  }
  await db.updateTable("job").set({ state: "running", attempts: 1, leased_by: "worker", lease_until: 2_000, heartbeat_at: 1_000 }).where("run_id", "=", "running").execute();
  expect((await createMetrics({ db }).backlog()).jobs).toMatchObject([{ waiting: 1, running: 1, oldest: null }]);
});
