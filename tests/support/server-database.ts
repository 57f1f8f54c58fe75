import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import type { Db } from "db/schema";
import { readEnv } from "~/platform/env.server";
import { databaseFile, openDatabase, openExistingDatabase } from "~/server/storage/database.server";

/*
 * The tests' only way to the database of a server: how it is found and opened is defined only here, so that they hold
 * for any database.
 */

/** The settings that name a database, as for the server. */
export interface DatabaseLocation {
  dataDir: string;
}

/** The environment of a server with this database. */
export const envOf = ({ dataDir }: DatabaseLocation) => readEnv({ DATA_DIR: dataDir });

/**
 * A connection beside that of a server, which may be running. `destroy()` closes it.
 * @throws if there is no database
 */
export function databaseOf(location: DatabaseLocation): Promise<Db> {
  return openExistingDatabase(envOf(location));
}

/** Creates the database if it is missing. */
export function newDatabase(location: DatabaseLocation): Promise<Db> {
  return openDatabase(envOf(location));
}

/** Opens the database of a server for one piece of work, and closes it. */
export async function withDatabase<Result>(location: DatabaseLocation, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = await databaseOf(location);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Renames a table, so that every query of it fails. */
export async function breakTable(location: DatabaseLocation, table: "run" | "message"): Promise<void> {
  await withDatabase(location, (db) => db.schema.alterTable(table).renameTo("gone").execute());
}

/** Locks the database for writing, as another program may. @returns a function that unlocks it */
export async function lockDatabase(location: DatabaseLocation): Promise<() => Promise<void>> {
  const db = await databaseOf(location);
  // SQLite lets one transaction write at a time: an open one is a lock.
  const lock = await db.startTransaction().execute();
  return async () => {
    await lock.rollback().execute();
    await db.destroy();
  };
}

/** All that a thief of the database has: every row, and its files, which may still contain deleted rows. */
export async function databaseBytes(location: DatabaseLocation): Promise<Buffer> {
  const rows = await withDatabase(location, async (db) => {
    const tables = await db.introspection.getTables();
    return Promise.all(tables.map(({ name }) => db.selectFrom(name as "run").selectAll().execute()));
  });
  const values: unknown[] = rows.flat().flatMap((row) => Object.values(row));
  const read = values.map((value) => (value instanceof Uint8Array ? value : Buffer.from(`${String(value)}\n`)));
  return Buffer.concat([...read, ...filesOf(location).map((file) => readFileSync(file))]);
}

/** Size of a database that is closed, without free space (bytes). */
export async function sizeOf(location: DatabaseLocation): Promise<number> {
  await withDatabase(location, (db) => sql`vacuum`.execute(db));
  return filesOf(location).reduce((sum, file) => sum + statSync(file).size, 0);
}

/** Tables and indexes by their size (bytes), the largest first. */
export async function partsOf(db: Db): Promise<{ name: string; bytes: number }[]> {
  const parts = sql<{ name: string; bytes: number }>`
    select name, sum(pgsize) as bytes from dbstat where aggregate = true group by name order by bytes desc`;
  return (await parts.execute(db)).rows;
}

/** What is wrong with the structure of a database; none if it is sound. */
export async function damageOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
}

/** Database, write-ahead log and index; none if the database is on a server of its own. */
export function filesOf(location: DatabaseLocation): string[] {
  const { dir, base } = path.parse(databaseFile(envOf(location)));
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.filter((name) => name.startsWith(base)).map((name) => path.join(dir, name));
}
