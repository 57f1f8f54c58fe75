import { chmodSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { migrate } from "db/migrate.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { InvalidSetting, type Env } from "~/platform/env.server";

/**
 * Makes the data folder, before anything is to be kept in it. What this process writes is nobody else's on this machine to
 * read.
 * @throws {InvalidSetting}
 */
export function makeDataFolder({ DATA_DIR }: Env): void {
  process.umask(0o077);
  try {
    mkdirSync(DATA_DIR, { recursive: true });
  } catch (error) {
    throw new InvalidSetting(`DATA_DIR is unusable: it wants a folder (${(error as Error).message}).`);
  }
}

/**
 * Opens the database, and makes it where there is none, in the shape of this version.
 * @param stopping aborted when this process stops
 * @throws {InvalidSetting}
 */
export async function openDatabase(env: Env, stopping?: AbortSignal): Promise<Db> {
  const file = databaseFile(env);
  // Older versions made files that every user could read. Files of another owner stay as they are.
  for (const each of [file, path.join(env.DATA_DIR, "cashier.db")]) for (const part of ["", "-wal", "-shm"]) makePrivate(each + part);
  try {
    const db = openSqlite(file, { stopping });
    await migrate(db);
    return db;
  } catch (error) {
    const variable = path.dirname(file) === path.resolve(env.DATA_DIR) ? "DATA_DIR" : "DATABASE_URL";
    const why = (error as Error).message;
    throw new InvalidSetting(`${variable} is unusable: it wants a place for the database ${file} (${why}).`);
  }
}

/**
 * Opens the database of a server that has been started before.
 * @throws {InvalidSetting}
 */
export async function openExistingDatabase(env: Env): Promise<Db> {
  const file = databaseFile(env);
  if (!existsSync(file)) throw new InvalidSetting(`There is no database at ${file}: DATA_DIR or DATABASE_URL names another one.`);
  return openDatabase(env);
}

function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch {
    // There is none, or it is somebody else's.
  }
}

export function databaseFile({ DATABASE_URL }: Env): string {
  return path.resolve(DATABASE_URL.replace(/^file:(\/\/)?/, ""));
}
