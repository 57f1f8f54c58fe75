import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { isPostgres } from "db/dialect";
import type { Database, Db } from "db/schema";
import { readEnv } from "~/platform/env.server";
import { createDatabase, postgresUrl, runStatement, TEMPLATE } from "./postgres";
import { databaseFile, openDatabase, openExistingDatabase } from "~/server/storage/database.server";

/*
 * All test access to a server's database is here, including its location, so that the tests work with any
 * database.
 */

/** Location of a database, as in the settings of the server. */
export interface DatabaseLocation {
  dataDir: string;
}

/** Environment of a server with this database. */
export const envOf = (location: DatabaseLocation) => readEnv(settingsOf(location));

/** Settings of a server with this database. In a project that tests PostgreSQL, each folder has a database there. */
export function settingsOf({ dataDir }: DatabaseLocation): Record<string, string> {
  const server = postgresUrl();
  return { DATA_DIR: dataDir, ...(server && { DATABASE_URL: server + nameOf(dataDir) }) };
}

/** Creates and migrates the PostgreSQL database of a folder, unless it exists or the project tests SQLite. */
export async function ensureDatabase({ dataDir }: DatabaseLocation): Promise<void> {
  const server = postgresUrl();
  if (!server) return;
  // Several processes of one test may start at the same time.
  const making = made.get(dataDir) ?? make(server, nameOf(dataDir));
  made.set(dataDir, making);
  await making;
}

async function make(server: string, name: string): Promise<void> {
  await createDatabase(server, name, TEMPLATE).catch((error: unknown) => {
    // Another process of the test has created it.
    if ((error as { code?: unknown }).code !== DUPLICATE_DATABASE) throw error;
  });
}

const DUPLICATE_DATABASE = "42P04";
const made = new Map<string, Promise<void>>();
const nameOf = (dataDir: string) => `folder_${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;

/**
 * Separate connection to a server's database, also while the server runs. `destroy()` closes it.
 * @throws if there is no database
 */
export function databaseOf(location: DatabaseLocation): Promise<Db> {
  return openExistingDatabase(envOf(location));
}

/** Creates the database if it is missing. */
export async function newDatabase(location: DatabaseLocation): Promise<Db> {
  await ensureDatabase(location);
  return openDatabase(envOf(location));
}

/** Opens the database of a server for one task, and closes it. */
export async function withDatabase<Result>(location: DatabaseLocation, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = await databaseOf(location);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Renames a table, so that every query on it fails. */
export async function breakTable(location: DatabaseLocation, table: "run" | "message"): Promise<void> {
  await withDatabase(location, (db) => db.schema.alterTable(table).renameTo("gone").execute());
}

/** Makes every update of a table fail. @returns a function that allows updates again */
export const refuseUpdates = (db: Db, table: keyof Database): Promise<() => Promise<void>> =>
  // Violates a constraint in both databases.
  atEachRow(db, "before update", table, "insert into secret_mark (id, sealed) values (-1, null)");

/** Runs a statement for each changed row, named `new` in it. @returns a function that ends this */
export async function atEachRow(db: Db, when: "before update" | "after insert", table: keyof Database, statement: string): Promise<() => Promise<void>> {
  const on = sql`${sql.raw(when)} on ${sql.table(table)} for each row`;
  if (!isPostgres(db)) {
    await sql`create trigger of_test ${on} begin ${sql.raw(statement)}; end`.execute(db);
    return async () => void (await sql`drop trigger of_test`.execute(db));
  }
  await sql`create function of_test() returns trigger language plpgsql as ${sql.lit(`begin ${statement}; return new; end`)}`.execute(db);
  await sql`create trigger of_test ${on} execute function of_test()`.execute(db);
  return async () => void (await sql`drop function of_test cascade`.execute(db));
}

/** Locks the database for writing, like another program. @returns a function that unlocks it */
export async function lockDatabase(location: DatabaseLocation): Promise<() => Promise<void>> {
  const db = await databaseOf(location);
  // SQLite allows one writing transaction at a time: an open one is a lock.
  const lock = await db.startTransaction().execute();
  return async () => {
    await lock.rollback().execute();
    await db.destroy();
  };
}

/** Everything in a stolen database: every row, and its files, which may still contain deleted rows. */
export async function databaseBytes(location: DatabaseLocation): Promise<Buffer> {
  const rows = await withDatabase(location, async (db) => {
    const tables = await db.introspection.getTables();
    return Promise.all(tables.map(({ name }) => db.selectFrom(name as "run").selectAll().execute()));
  });
  const values: unknown[] = rows.flat().flatMap((row) => Object.values(row));
  const read = values.map((value) => (value instanceof Uint8Array ? value : Buffer.from(`${String(value)}\n`)));
  return Buffer.concat([...read, ...filesOf(location).map((file) => readFileSync(file))]);
}

/** Size of a closed database, without free space (bytes). */
export async function sizeOf(location: DatabaseLocation): Promise<number> {
  await withDatabase(location, (db) => sql`vacuum`.execute(db));
  return filesOf(location).reduce((sum, file) => sum + statSync(file).size, 0);
}

/** Name and version of the database. */
export async function versionOf(db: Db): Promise<string> {
  const version = isPostgres(db) ? sql<{ version: string }>`select version() as version` : sql<{ version: string }>`select 'SQLite ' || sqlite_version() as version`;
  return (await version.execute(db)).rows[0]?.version ?? "";
}

/** Does at once what PostgreSQL does by itself within minutes after many rows were stored. */
export async function tidy(location: DatabaseLocation): Promise<void> {
  const { DATABASE_URL } = settingsOf(location);
  if (DATABASE_URL !== undefined) await runStatement(DATABASE_URL, "vacuum analyze");
}

/** Tables and indexes by their size (bytes), the largest first. */
export async function partsOf(db: Db): Promise<{ name: string; bytes: number }[]> {
  // Tables of PostgreSQL with their long values, which it stores apart.
  const parts = isPostgres(db)
    ? sql<{ name: string; bytes: number }>`
        select relname as name, case relkind when 'r' then pg_table_size(oid) else pg_relation_size(oid) end as bytes
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') order by bytes desc`
    : sql<{ name: string; bytes: number }>`
        select name, sum(pgsize) as bytes from dbstat where aggregate = true group by name order by bytes desc`;
  return (await parts.execute(db)).rows;
}

/** Problems in the structure of a database; none if it is intact. */
export async function damageOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
}

/** Database, write-ahead log and index; none if the database is on a separate server. */
export function filesOf(location: DatabaseLocation): string[] {
  const { dir, base } = path.parse(databaseFile(envOf(location)));
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.filter((name) => name.startsWith(base)).map((name) => path.join(dir, name));
}
