// Tests of the SQLite driver: another program locks the file, or the disk is full.
import SQLite from "better-sqlite3";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";
import { DatabaseBusy, type WriteOptions } from "db/write-mutex";
import { storageTrouble } from "~/platform/storage-trouble";
import { freshDatabaseFile } from "../../support/database/database";

async function lockedFrom(options: WriteOptions = {}) {
  const file = freshDatabaseFile();
  const db = openSqlite(file, options);
  await migrate(db);
  const other = new SQLite(file);
  onTestFinished(async () => {
    other.close();
    await db.destroy();
  });
  other.exec("begin immediate");
  const addRule = (name: string, on: Pick<typeof db, "insertInto"> = db) =>
    on
      .insertInto("rule")
      .values({ source: "axe", rule_id: name, engine_version: "1", tags: "[]", help: "", description: "", help_url: "" })
      .execute();
  const rules = () => db.selectFrom("rule").select("rule_id").orderBy("id").execute();
  return { db, other, addRule, rules };
}

test("while another program locks the database, reads and the process continue, and writes follow in their order", async () => {
  const { db, other, addRule, rules } = await lockedFrom();
  const writes = [addRule("first"), db.transaction().execute((trx) => addRule("second", trx)), addRule("third")];
  let ticks = 0;
  const clock = setInterval(() => (ticks += 1), 10);
  const begin = Date.now();
  expect(await rules()).toEqual([]);
  expect(Date.now() - begin).toBeLessThan(200);
  await delay(500);
  clearInterval(clock);
  expect(ticks, "nothing blocks the event loop").toBeGreaterThan(20);
  expect(await rules()).toEqual([]);
  other.exec("rollback");
  await Promise.all(writes);
  expect((await rules()).map(({ rule_id }) => rule_id)).toEqual(["first", "second", "third"]);
});

test("a write that has waited too long is refused, and so are those behind it, without another full wait", async () => {
  const { db, other, addRule, rules } = await lockedFrom({ patienceMs: 300 });
  const begin = Date.now();
  const writes = await Promise.allSettled([addRule("a"), db.transaction().execute((trx) => addRule("b", trx)), addRule("c")]);
  expect(Date.now() - begin).toBeLessThan(1_500);
  for (const write of writes) expect(write).toMatchObject({ status: "rejected", reason: expect.any(DatabaseBusy) as unknown });
  other.exec("rollback");
  await addRule("d");
  expect(await rules()).toEqual([{ rule_id: "d" }]);
});

test("a process that stops does not wait long for earlier or new writes", async () => {
  const stopping = new AbortController();
  const { other, addRule, rules } = await lockedFrom({ stopping: stopping.signal });
  const waiting = addRule("waiting").catch((error: unknown) => error);
  await delay(50);
  const begin = Date.now();
  stopping.abort();
  const outcomes = await Promise.all([waiting, ...["a", "b", "c"].map((name) => addRule(name).catch((error: unknown) => error))]);
  expect(Date.now() - begin).toBeLessThan(2_500);
  for (const outcome of outcomes) expect(outcome).toBeInstanceOf(DatabaseBusy);
  await delay(1_100);
  const late = addRule("late");
  await delay(100);
  other.exec("rollback");
  await late;
  expect(await rules()).toEqual([{ rule_id: "late" }]);
});

test("a transaction does not see unfinished changes of others, and reads do not wait for it", async () => {
  const { db, other, addRule, rules } = await lockedFrom();
  other.exec("rollback");
  await db.transaction().execute(async (trx) => {
    await addRule("unfinished", trx);
    expect(await rules()).toEqual([]);
    expect(await trx.selectFrom("rule").select("rule_id").execute()).toHaveLength(1);
  });
  expect(await rules()).toHaveLength(1);
});

test("a database that turned read-only is told apart from a full disk", async () => {
  const { db, other, addRule } = await lockedFrom();
  other.exec("rollback");
  await sql.raw("pragma query_only = 1").execute(db);
  const failed = await addRule("any").then(() => null, (error: unknown) => error);
  expect(storageTrouble(failed), String(failed)).toBe("unwritable");
});

test("a full disk is reported as such, leaves no half-finished change, and writes work again afterwards", async () => {
  const { db, other, addRule, rules } = await lockedFrom();
  other.exec("rollback");
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 1}`).execute(db);
  const much = "x".repeat(100_000);
  const full = db.transaction().execute(async (trx) => {
    await addRule("small", trx);
    // After the failure, no later write of the same transaction may be stored.
    await addRule(much, trx).catch(() => {});
    await addRule("after", trx);
  });
  await expect(full).rejects.toThrow("rolled back");
  const single = await addRule(much).then(() => null, (error: unknown) => error);
  expect(String(single)).toContain("database or disk is full");
  expect(storageTrouble(single)).toBe("full");
  const whole = await db.transaction().execute((trx) => addRule(much, trx)).then(() => null, (error: unknown) => error);
  expect(storageTrouble(whole), String(whole)).toBe("full");
  expect(await rules()).toEqual([]);
  await sql.raw("pragma max_page_count = 1000000").execute(db);
  await addRule(much);
  expect(await rules()).toHaveLength(1);
});
