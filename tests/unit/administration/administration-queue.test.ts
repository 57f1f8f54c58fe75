import { expect, test } from "vitest";
import { COMMAND_LINE, createAuditLog } from "~/administration/audit-log.server";
import { createQueueOverview } from "~/administration/queue.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRetention } from "~/runs/retention.server";
import { createRunLists } from "~/runs/list.server";
import { createRuns, type NewRun } from "~/runs/run.server";
import { freshDatabase, testBox } from "../../support/database/database";
import { addUsers } from "../../support/database/finished-runs";
import { WCAG22AA } from "../../support/scan/scanner";

const HOUR_MS = 3_600_000;
const ADMINISTRATOR = { id: "zoe", email: "zoe@example.org" };

/** Scans of Ada and of a visitor, in queues without workers. */
async function setUp() {
  const db = await freshDatabase();
  const queues = { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) };
  const clock = { time: Date.now() };
  const runs = createRuns({ db, queues, box: testBox, retentionDays: 365, now: () => clock.time });
  const changed: string[] = [];
  const overview = createQueueOverview({ db, runs, onChanged: (id) => changed.push(id) });
  await addUsers(db, "ada");
  const start = async (request: Partial<NewRun> = {}) => {
    clock.time += 1_000;
    return (await runs.start({ url: "https://shop.example/", scope: "page", standard: WCAG22AA, owner: "ada", ...request })).id;
  };
  const set = (id: string, status: "failed" | "running", hoursAgo = 0) =>
    db.updateTable("run").set({ status, ...(status === "failed" && { reason: "dns" as const, finished_at: Date.now() - hoursAgo * HOUR_MS }) }).where("id", "=", id).execute();
  const entries = async () => (await createAuditLog({ db }).list({ limit: 10 })).map(({ actor, action, subject, details }) => ({ actor, action, subject, details }));
  return { db, runs, overview, changed, start, set, entries };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

const idsOf = async ({ overview }: SetUp, state: Parameters<SetUp["overview"]["list"]>[0]["state"], text = "") =>
  (await overview.list({ state, text, limit: 10 })).rows.map(({ id }) => id);

test("administrators see scans of everybody, with who, queue position and the reason of a failure", async () => {
  const given = await setUp();
  const { overview, start, set } = given;
  const [first, failed, site, visitors] = [await start(), await start({ url: "https://other.example/" }), await start({ scope: "site", url: "https://big.example/" }), await start({ owner: null })];
  await set(first, "running");
  await set(failed, "failed");
  const { rows } = await overview.list({ state: "all", text: "", limit: 10 });
  expect(rows.map(({ id, person, position, reason }) => [id, person?.email, position, reason])).toEqual([
    [visitors, undefined, 2, null],
    [site, "ada@example.org", 1, null],
    [failed, "ada@example.org", null, "dns"],
    [first, "ada@example.org", null, null],
  ]);
  expect(await idsOf(given, "under_way")).toEqual([visitors, site, first]);
  expect(await idsOf(given, "failed")).toEqual([failed]);
  expect(await idsOf(given, "all", "BIG.example")).toEqual([site]);
});

test("long lists are read part by part", async () => {
  const { overview, start } = await setUp();
  const ids = [await start(), await start(), await start()].reverse();
  const first = await overview.list({ state: "under_way", text: "", limit: 2 });
  const second = await overview.list({ state: "under_way", text: "", before: first.next, limit: 2 });
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(ids);
  expect(second.next).toBeNull();
});

test("counts what runs, what waits, and what failed within 24 hours", async () => {
  const { overview, start, set } = await setUp();
  const [, running, fresh, old] = [await start(), await start(), await start(), await start()];
  await set(running, "running");
  await set(fresh, "failed", 23);
  await set(old, "failed", 25);
  expect(await overview.counts()).toEqual({ running: 1, waiting: 1, failed: 1 });
});

test("an administrator cancels scans of an account and of a visitor; each is in the audit log", async () => {
  const { db, runs, overview, changed, start, entries } = await setUp();
  const [own, visitors] = [await start(), await start({ owner: null, url: "https://visit.example/secret" })];
  expect(await overview.change(ADMINISTRATOR, "cancel", [own, visitors, visitors, "none"])).toBe(2);
  expect(await overview.change(ADMINISTRATOR, "cancel", [own])).toBe(0);
  expect(changed).toEqual([own, visitors]);
  expect((await runs.find(visitors, null))?.status).toBe("canceled");
  expect(await db.selectFrom("job").select("state").where("state", "!=", "done").execute()).toEqual([]);
  const by = { actor: "zoe@example.org", action: "run_canceled" };
  expect(await entries()).toEqual(expect.arrayContaining([
    { ...by, subject: "ada@example.org", details: { scan: own.slice(0, 8), website: "https://shop.example" } },
    { ...by, subject: null, details: { scan: visitors.slice(0, 8), website: "https://visit.example" } },
  ]));
  expect(JSON.stringify(await entries())).not.toContain(visitors);
});

test("what an administrator deletes, its owner cannot restore, and the next clean-up takes it", async () => {
  const given = await setUp();
  const { db, runs, overview, start, entries } = given;
  const [deleted, kept] = [await start(), await start()];
  expect(await overview.change(COMMAND_LINE, "delete", [deleted])).toBe(1);
  expect(await overview.change(COMMAND_LINE, "delete", [deleted])).toBe(0);
  expect(await idsOf(given, "all")).toEqual([kept]);
  const lists = createRunLists({ db, runs });
  expect(await lists.latestRemoval("ada")).toBeNull();
  const { deleted_at } = await db.selectFrom("run").select("deleted_at").where("id", "=", deleted).executeTakeFirstOrThrow();
  expect(await lists.restore("ada", deleted_at ?? 0)).toBe(0);
  expect(await createRetention({ db }).deleteExpired()).toBe(1);
  expect(await db.selectFrom("run").select(["id", "status"]).execute()).toEqual([{ id: kept, status: "queued" }]);
  expect(await entries()).toMatchObject([{ actor: COMMAND_LINE, action: "run_deleted", subject: "ada@example.org" }]);
});
