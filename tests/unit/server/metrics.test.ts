import { expect, test } from "vitest";
import { readJobBacklog } from "~/runs/job-backlog.server";
import { readBacklog } from "~/server/health/backlog.server";
import { createMeters, type Gauged } from "~/server/health/meters.server";
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
  const oldest = async () => (await readJobBacklog(db)).map((each) => each.oldest);
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
  expect(await readJobBacklog(db)).toMatchObject([{ waiting: 1, running: 1, oldest: null }]);
});

test("mails that wait are told apart from those that were given up", async () => {
  const db = await freshDatabase();
  const mail = { sealed: "", created_at: 1_000, run_at: 1_000 };
  await db.insertInto("mail").values([{ ...mail, id: "waits" }, { ...mail, id: "waits too" }, { ...mail, id: "given up", given_up_at: 2_000 }]).execute();
  expect(await readBacklog(db)).toEqual({ jobs: [], mails: { waiting: 2, givenUp: 1 } });
});

test("while the database does not answer, that is told, and nothing else is made up", async () => {
  const meters = createMeters();
  const gauged: Gauged = {
    health: { version: "1.2.3", ok: true, database: "ok", disk: "ok" },
    workers: 1,
    storage: { state: "ok", freeBytes: 1_000, evidenceBytes: 10 },
    backlog: { jobs: [{ queue: "scan", waiting: 2, running: 1, oldest: null }], mails: { waiting: 3, givenUp: 0 } },
  };
  expect((await meters.write(gauged)).text).toContain('rampe_jobs{queue="scan",state="waiting"} 2');
  const away = { ...gauged, health: { ...gauged.health, ok: false, database: "failed", disk: "failed" }, workers: null, backlog: null } as const;
  const { text } = await meters.write(away);
  expect(text).toContain('rampe_healthy{part="database"} 0');
  expect(text).not.toContain('rampe_healthy{part="disk"}');
  for (const series of ['rampe_workers', 'rampe_jobs{queue="scan",state="waiting"}', 'rampe_mails{state="waiting"}']) expect(text).toContain(`${series} Nan`);
});
