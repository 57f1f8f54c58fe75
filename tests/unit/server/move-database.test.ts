import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyDatabase, CopyDiffers } from "db/copy-database.server";
import { migrate } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createFindings } from "~/findings/finding.server";
import { readEnv } from "~/platform/env.server";
import { runCommand } from "~/server/commands/commands.server";
import { emptyPostgres, freshDatabaseFile, freshLocation } from "../../support/database/database";

const OLD = readFileSync(fileURLToPath(new URL("../../support/database/old-database.sql", import.meta.url)), "utf8");

/** Realistic installation: a user, a run with pages and findings, an answer; and a picture, and jobs. */
async function original(): Promise<{ db: Db; address: string }> {
  const file = freshDatabaseFile();
  const raw = new SQLite(file);
  raw.exec(OLD);
  raw.close();
  const db = openSqlite(file, { patienceMs: 100 });
  onTestFinished(() => db.destroy());
  await migrate(db);
  const { id } = await db.selectFrom("run").select("id").executeTakeFirstOrThrow();
  await db.insertInto("picture").values({ run_id: id, hash: "h", image: Uint8Array.of(0, 255, 10) }).execute();
  await db.insertInto("stored_picture").values({ run_id: id, hash: "elsewhere", bytes: 12_345 }).execute();
  await db.insertInto("storage_mark").values({ id: 1, mark: "the same in the object store" }).execute();
  const job = { queue: "scan", run_id: id, payload: '{"ä":1}', state: "queued", turn: 1.25, run_at: 0, created_at: 1 } as const;
  await db.insertInto("job").values(["b", "a"].map((name) => ({ ...job, id: name }))).execute();
  return { db, address: `file:${file}` };
}

async function emptyCopy(): Promise<{ db: Db; address: string }> {
  const address = await emptyPostgres();
  const db = await openPostgres(address);
  onTestFinished(() => db.destroy());
  await migrate(db);
  return { db, address };
}

/** Rows of each table, in any order. */
async function contents(db: Db): Promise<Record<string, string[]>> {
  const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView);
  const rows = async (name: string) => (await db.selectFrom(name as "run").selectAll().execute()).map((row) => JSON.stringify(Object.entries({ ...row, rowid: 0 }).toSorted())).toSorted();
  return Object.fromEntries(await Promise.all(tables.map(async ({ name }) => [name, await rows(name)] as const)));
}

test("an installation moves to PostgreSQL and back to a file, row by row", async () => {
  const { db } = await original();
  const { db: copy } = await emptyCopy();
  const told: [string, number][] = [];
  await copyDatabase(db, copy, (table, rows) => told.push([table, rows]));
  const wanted = await contents(db);
  expect(await contents(copy)).toEqual(wanted);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(Object.entries(wanted).map(([table, rows]) => [table, rows.length])));

  expect(await copy.selectFrom("job").select("id").orderBy(sql`rowid`).execute()).toEqual([{ id: "b" }, { id: "a" }]);

  const { page_id: page } = await db.selectFrom("finding").select("page_id").where("category", "=", "violations").executeTakeFirstOrThrow();
  expect(await createFindings({ db: copy }).ofPage(page, { elements: 10 })).toEqual(await createFindings({ db }).ofPage(page, { elements: 10 }));
  const rule = { source: "axe", rule_id: "new", engine_version: "1", tags: "[]", help: "", description: "", help_url: "" } as const;
  const last = Math.max(...(await db.selectFrom("rule").select("id").execute()).map(({ id }) => id));
  expect(await copy.insertInto("rule").values(rule).returning("id").executeTakeFirst()).toEqual({ id: last + 1 });
  await copy.deleteFrom("rule").where("rule_id", "=", "new").execute();

  const back = openSqlite(freshDatabaseFile());
  onTestFinished(() => back.destroy());
  await migrate(back);
  await copyDatabase(copy, back);
  expect(await contents(back)).toEqual(wanted);
});

test("an interrupted copy goes on, and nothing is copied twice", async () => {
  const { db } = await original();
  const { db: copy } = await emptyCopy();
  const broken = copyDatabase(db, copy, (table) => {
    if (table === "finding") throw new Error("interrupted");
  });
  await expect(broken).rejects.toThrow("interrupted");
  expect(await copy.selectFrom("page").select("id").execute()).not.toEqual([]);
  expect(await copy.selectFrom("review").select("owner").execute()).toEqual([]);
  await copyDatabase(db, copy);
  expect(await contents(copy)).toEqual(await contents(db));
});

test("the database of another installation stays as it is", async () => {
  const { db } = await original();
  const { db: other } = await emptyCopy();
  await other.insertInto("message").values({ id: "m", email: "a@example.org", subject: "", text: "", locale: "de", created_at: 1 }).execute();
  await expect(copyDatabase(db, other)).rejects.toThrow(new CopyDiffers("The table message of the new database has rows of its own: a copy wants an empty database."));
  expect(await other.selectFrom("user").select("id").execute()).toEqual([]);
});

test("the database of another installation of an older version is not updated", async () => {
  const { address } = await original();
  const to = await emptyPostgres();
  const old = await openPostgres(to);
  onTestFinished(() => old.destroy());
  await migrate(old);
  await sql`delete from kysely_migration where name >= '0048'`.execute(old);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await runCommand(["move-database", address, to], () => readEnv({ DATA_DIR: freshLocation().dataDir }))).toBe(1);
  expect(err.mock.calls.join("")).toContain("another installation's");
  expect((await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(old)).rows[0]?.name).toMatch(/^0047/);
});

test("a row that is another one in the copy is noticed", async () => {
  const { db } = await original();
  const { db: copy } = await emptyCopy();
  await copyDatabase(db, copy);
  await copy.updateTable("page").set({ title: "Other" }).execute();
  await expect(copyDatabase(db, copy)).rejects.toBeInstanceOf(CopyDiffers);
});

test("nothing is written to the original meanwhile", async () => {
  const { db } = await original();
  const { db: copy } = await emptyCopy();
  const write = () => db.insertInto("message").values({ id: "m", email: "a@example.org", subject: "", text: "", locale: "de", created_at: 1 }).execute();
  const writes: Promise<unknown>[] = [];
  await copyDatabase(db, copy, (table) => {
    // A long time before the messages are copied.
    if (table === "user") writes.push(write());
  });
  await Promise.all(writes);
  expect(await copy.selectFrom("message").select("id").execute()).toEqual([]);
  expect(await db.selectFrom("message").select("id").execute()).toEqual([{ id: "m" }]);
});

test("the command copies, says how many rows, and refuses a database in use and addresses of neither kind", async () => {
  const { db, address } = await original();
  const to = await emptyPostgres();
  const [out, err] = [vi.spyOn(process.stdout, "write").mockReturnValue(true), vi.spyOn(process.stderr, "write").mockReturnValue(true)];
  onTestFinished(() => void vi.restoreAllMocks());
  const env = () => readEnv({ DATA_DIR: freshLocation().dataDir });
  const said = (stream: typeof out) => stream.mock.calls.map(([text]) => String(text)).join("");
  await db.insertInto("probe").values({ id: 1, at: Date.now() }).execute();
  expect(await runCommand(["move-database", address, to], env)).toBe(1);
  expect(said(err)).toContain("A server is running on the first database: stop it");
  await db.updateTable("probe").set({ at: Date.now() - 60_000 }).execute();
  for (const args of [[address], [address, "mysql://db/rampe"], [address, to, "again"]]) expect(await runCommand(["move-database", ...args], env)).toBe(1);
  expect(await runCommand(["move-database", address, to], env)).toBe(0);
  expect(said(out)).toMatch(/^job +2$[^]*^All \d+ rows were copied and compared\. Set DATABASE_URL to the second database/m);
});
