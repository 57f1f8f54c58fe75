// Tests of the PostgreSQL driver: its values, its lock, and lost connections. For queries, the tests of SQLite run again.
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { containsText } from "db/contains-text";
import { migrate } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import { prepared } from "db/prepared";
import type { Db } from "db/schema";
import { withoutWriteLock } from "db/without-write-lock";
import { DatabaseBusy, DatabaseUnreachable, type WriteOptions } from "db/write-mutex";
import { storageTrouble } from "~/platform/storage-trouble";
import { addressOf, emptyPostgres, freshDatabase } from "../../support/database/database";

const addRule = (name: string, on: Pick<Db, "insertInto">) =>
  on.insertInto("rule").values({ source: "axe", rule_id: name, engine_version: "1", tags: "[]", help: "", description: "", help_url: "" }).execute();
const rules = async (db: Db) => (await db.selectFrom("rule").select("rule_id").orderBy("id").execute()).map(({ rule_id }) => rule_id);

/** Second connection to the database of a test, like that of another server. */
async function another(db: Db, options: WriteOptions = {}): Promise<Db> {
  const other = await openPostgres(addressOf(db), options);
  onTestFinished(() => other.destroy());
  return other;
}

test("values are those of SQLite: numbers, 0 or 1, null for no number, and text without NUL", async () => {
  const db = await freshDatabase();
  await addRule("a", db);
  await addRule("b\0c", db);
  const counted = db.selectFrom("rule").select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number>("id").as("sum"), sql<number>`max(id) > 1`.as("several")]);
  expect(await counted.executeTakeFirst()).toEqual({ count: 2, sum: 3, several: 1 });
  expect(await rules(db)).toEqual(["a", "b\uFFFDc"]);
  expect(await db.selectFrom("rule").select("id").where("id", "=", NaN).execute()).toEqual([]);
  expect(await db.selectFrom("rule").select("id").where("id", "<", Infinity).where("id", ">", -Infinity).execute()).toHaveLength(2);
  expect(await db.selectFrom("rule").select("id").where("id", "not in", db.selectFrom("rule").select("id").where("rule_id", "in", [])).execute()).toHaveLength(2);
});

test("text is ordered by bytes, whatever the server is set to", async () => {
  const db = await freshDatabase();
  for (const name of ["a", "ä", "B", "z"]) await addRule(name, db);
  const ordered = await db.selectFrom("rule").select("rule_id").orderBy("rule_id").execute();
  expect(ordered.map(({ rule_id }) => rule_id)).toEqual(["B", "a", "z", "ä"]);
});

test("transactions of two servers write one after the other, each with what it has read, and reads do not wait", async () => {
  const db = await freshDatabase();
  const other = await another(db);
  const count = async (on: Db) => {
    await on.transaction().execute(async (trx) => {
      const { present } = await trx.selectFrom("rule").select((eb) => eb.fn.countAll<number>().as("present")).executeTakeFirstOrThrow();
      await delay(1);
      await addRule(String(present), trx);
    });
  };
  const lock = await db.startTransaction().execute();
  const writes = Array.from({ length: 20 }, (_, index) => count(index % 2 === 0 ? db : other));
  expect(await rules(other)).toEqual([]);
  await lock.rollback().execute();
  await Promise.all(writes);
  expect(await rules(db)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
});

test("a prepared statement is planned once for each connection, and goes on after a migration", async () => {
  const db = await freshDatabase();
  const ruleId = (on: Db, name: string) => prepared(on).selectFrom("rule").select("rule_id").where("rule_id", "=", name).executeTakeFirst();
  const statements = async (on: Db) => (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(on)).rows;
  await addRule("a", db);
  await db.transaction().execute(async (trx) => {
    expect([await ruleId(trx, "a"), await ruleId(trx, "b")]).toEqual([{ rule_id: "a" }, undefined]);
    expect(await statements(trx)).toEqual([{ statement: expect.stringContaining("rule_id") as unknown }]);
    await trx.schema.alterTable("rule").addColumn("later", "text").execute();
    expect(await ruleId(trx, "a")).toEqual({ rule_id: "a" });
    expect(await statements(trx)).toHaveLength(1);
  });
});

test("a write that has waited too long for another server is refused, and so are those behind it", async () => {
  const db = await freshDatabase();
  const hasty = await another(db, { patienceMs: 300 });
  const lock = await db.startTransaction().execute();
  const began = Date.now();
  const writes = await Promise.allSettled([addRule("a", hasty), hasty.transaction().execute((trx) => addRule("b", trx)), addRule("c", hasty)]);
  expect(Date.now() - began).toBeLessThan(800);
  for (const write of writes) expect(write).toMatchObject({ status: "rejected", reason: expect.any(DatabaseBusy) as unknown });
  await lock.rollback().execute();
  await addRule("d", hasty);
  expect(await rules(db)).toEqual(["d"]);
});

test("a process that stops does not wait long for the lock of another server", async () => {
  const db = await freshDatabase();
  const stopping = new AbortController();
  const other = await another(db, { stopping: stopping.signal });
  const lock = await db.startTransaction().execute();
  const waiting = addRule("a", other).catch((error: unknown) => error);
  await delay(50);
  const began = Date.now();
  stopping.abort();
  const outcomes = await Promise.all([waiting, ...["b", "c"].map((name) => addRule(name, other).catch((error: unknown) => error))]);
  expect(Date.now() - began).toBeLessThan(3_000);
  for (const outcome of outcomes) expect(outcome).toBeInstanceOf(DatabaseBusy);
  await lock.rollback().execute();
  await addRule("d", other);
  expect(await rules(db)).toEqual(["d"]);
});

test("a database that accepts a connection and says nothing lets writes fail in time", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const db = await openPostgres(`postgres://rampe@127.0.0.1:${(silent.address() as AddressInfo).port}/rampe`, { patienceMs: 300 });
  const began = Date.now();
  for (const outcome of await Promise.allSettled([addRule("a", db), addRule("b", db)])) expect(outcome).toMatchObject({ status: "rejected" });
  expect(Date.now() - began).toBeLessThan(3_000);
  silent.close();
});

test("tables of the same names in another schema are another program's", async () => {
  const address = await emptyPostgres();
  const db = await openPostgres(address);
  onTestFinished(() => db.destroy());
  await sql`create schema other`.execute(db);
  const other = await openPostgres(`${address}?options=-c%20search_path%3Dother`);
  onTestFinished(() => other.destroy());
  await migrate(other);
  await addRule("other", other);
  await migrate(db);
  expect(await rules(db)).toEqual([]);
});

test("a failed statement undoes its transaction, also if its error is caught", async () => {
  const db = await freshDatabase();
  const failing = db.transaction().execute(async (trx) => {
    await addRule("a", trx);
    await sql`select no_such_column`.execute(trx).catch(() => {});
  });
  await expect(failing).rejects.toThrow("rolled back");
  await addRule("b", db);
  expect(await rules(db)).toEqual(["b"]);
});

test("lost connections are told apart, end no process, and are made anew", async () => {
  const db = await freshDatabase();
  const killer = new Client(addressOf(db));
  await killer.connect();
  onTestFinished(() => killer.end());
  const killOthers = () => killer.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
  const lost = db.transaction().execute(async (trx) => {
    await addRule("a", trx);
    await killOthers();
    await delay(50);
    await addRule("b", trx);
  });
  const error: unknown = await lost.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseUnreachable);
  expect(storageTrouble(error)).toBe("unreachable");
  await killOthers();
  await delay(50);
  await addRule("c", db);
  expect(await rules(db)).toEqual(["c"]);
});

test("a server that is not there is told as such", async () => {
  const db = await openPostgres("postgres://rampe@127.0.0.1:1/rampe");
  onTestFinished(() => db.destroy());
  await expect(rules(db)).rejects.toBeInstanceOf(DatabaseUnreachable);
  await expect(addRule("a", db)).rejects.toBeInstanceOf(DatabaseUnreachable);
});

test("migrations can be run again, by two servers at once, and keep the data", async () => {
  const address = await emptyPostgres();
  const [db, other] = await Promise.all([openPostgres(address), openPostgres(address)]);
  onTestFinished(async () => void (await Promise.all([db.destroy(), other.destroy()])));
  await Promise.all([migrate(db), migrate(other)]);
  await addRule("a", db);
  await migrate(other);
  expect(await rules(db)).toEqual(["a"]);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', 'tomorrow')`.execute(db);
  await expect(migrate(db)).rejects.toThrow("it was written by a newer version, which this one cannot read: 9999-of-tomorrow");
});

const SEARCH = sql`select id from run where deleted_at is null and ${containsText(["run.url"], "shop")} order by created_at desc, id desc limit 51`;

test("a text in the addresses of all scans is found by an index", async () => {
  const db = await freshDatabase();
  await sql`
    insert into run (id, url, site, scope, standard_version, standard_level, status, created_at, expires_at)
    select n, 'https://site-' || n || '.example/', 'site', 'page', '2.2', 'AA', 'succeeded', n, n from generate_series(1, 20000) as n`.execute(db);
  // What the server does by itself within minutes.
  await sql`select gin_clean_pending_list('run_address_text')`.execute(withoutWriteLock(db));
  await db.transaction().execute((trx) => sql`analyze run`.execute(trx));
  const plan = await sql<{ "QUERY PLAN": string }>`explain ${SEARCH}`.execute(withoutWriteLock(db));
  expect(plan.rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("Bitmap Index Scan on run_address_text");
});

test("a user who may not install the extension for this index has a complete database without it", async () => {
  const address = await emptyPostgres();
  const { pathname: name } = new URL(address);
  const owner = await openPostgres(address);
  onTestFinished(() => owner.destroy());
  const user = `plain_${name.slice(1)}`;
  await sql`create role ${sql.id(user)} login`.execute(owner);
  await sql`grant create on schema public to ${sql.id(user)}`.execute(owner);
  const db = await openPostgres(address.replace("rampe@", `${user}@`));
  onTestFinished(() => db.destroy());
  await migrate(db);
  expect((await SEARCH.execute(db)).rows).toEqual([]);
  const indexes = await sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'run'`.execute(db);
  const names = indexes.rows.map((row) => row.name);
  expect(names).toContain("run_all");
  expect(names).not.toContain("run_address_text");
});
