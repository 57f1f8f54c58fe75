import { chmodSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { appliedOf, migrate, NewerDatabase, newerOf, pendingOf } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import type { Db } from "db/schema";
import { openSnapshot } from "db/snapshot.server";
import { openSqlite } from "db/sqlite.server";
import { BackupProblem } from "~/administration/backup/backup-problem";
import { copyBeforeUpdate, updateCopies } from "~/administration/backup/update-copies.server";
import { InvalidSetting, type Env } from "~/platform/env.server";
import { productName } from "~/platform/product-name.server";
import { openExistingPostgresDatabase, openPostgresDatabase, usesPostgres, type OpenOptions } from "./postgres-database.server";

/**
 * Creates the data folder before anything is stored in it. Other users of this machine cannot read files of this process.
 * @throws {InvalidSetting}
 */
export function makeDataFolder(env: Env): void {
  process.umask(0o077);
  createDataFolder(env);
}

/** Creates the data folder if it is missing. @throws {InvalidSetting} */
export function createDataFolder({ DATA_DIR }: Env): void {
  try {
    mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new InvalidSetting(`DATA_DIR is unusable: it wants a folder (${(error as Error).message}).`);
  }
}

/**
 * Opens the database, creates it if missing, and migrates it to this version, after copying it (`UPDATE_COPY`).
 * @throws {InvalidSetting}
 */
export async function openDatabase(env: Env, { stopping, log = () => {} }: OpenOptions = {}): Promise<Db> {
  if (usesPostgres(env)) return openPostgresDatabase(env, { stopping, log });
  const file = databaseFile(env);
  // Private mode, because older versions made files readable by every user. Files of another owner stay unchanged.
  for (const each of [file, cashierFile(env)]) makePrivate(each);
  try {
    const copy = existsSync(file) ? await copyBeforeUpdate(file, { dataDir: env.DATA_DIR, copies: env.UPDATE_COPY, signal: stopping }) : null;
    if (copy) log("the database is being updated", { migrations: copy.pending.length, copy: copy.file });
    const began = Date.now();
    const db = openSqlite(file, { stopping });
    // Private mode also for a new file of a command, which runs with the umask of its user.
    makePrivate(file);
    await migrate(db, (progress) => log("the database is still being updated", { ...progress }));
    if (copy) log("the database was updated", { ms: Date.now() - began });
    return db;
  } catch (error) {
    const why = (error as Error).message;
    if (error instanceof BackupProblem) throw new InvalidSetting(why);
    if (error instanceof NewerDatabase) throw new InvalidSetting(await newerSentence(env, file, why));
    const variable = path.dirname(file) === path.resolve(env.DATA_DIR) ? "DATA_DIR" : "DATABASE_URL";
    throw new InvalidSetting(`${variable} is unusable: it wants a place for the database ${file} (${why}).`);
  }
}

async function newerSentence({ DATA_DIR }: Env, file: string, why: string): Promise<string> {
  const copy = (await updateCopies(DATA_DIR)).at(-1);
  const orCopy = copy ? ` (the copy ${copy} in DATA_DIR is from before the last update)` : "";
  return `The database ${file} cannot be used with ${productName()}: ${why}. Start the newer version again, or restore a backup of before the update${orCopy}.`;
}

/**
 * Opens the database of a server that was started before and may be running: nothing is migrated.
 * @throws {InvalidSetting} also if the database is of another version
 */
export async function openExistingDatabase(env: Env): Promise<Db> {
  if (usesPostgres(env)) return openExistingPostgresDatabase(env);
  requireDatabase(env);
  const file = databaseFile(env);
  const applied = migrationsIn(file);
  const newer = newerOf(applied);
  if (newer.length > 0) throw new InvalidSetting(await newerSentence(env, file, new NewerDatabase(newer).message));
  if (pendingOf(applied).length > 0) throw new InvalidSetting(`The database ${file} is of an older version than ${productName()}: start the new version first, which updates it.`);
  return openDatabase(env);
}

/** Names of the applied migrations; none for an empty or missing database. @throws {InvalidSetting} */
export async function migrationsOf(env: Env): Promise<string[]> {
  if (!usesPostgres(env)) return existsSync(databaseFile(env)) ? migrationsIn(databaseFile(env)) : [];
  const db = await openPostgres(env.DATABASE_URL);
  return appliedOf(db).finally(() => db.destroy());
}

/** @throws {InvalidSetting} */
function migrationsIn(file: string): string[] {
  try {
    const snapshot = openSnapshot(file);
    snapshot.close();
    return snapshot.migrations;
  } catch (error) {
    throw new InvalidSetting(`The database ${file} cannot be read (${(error as Error).message}).`);
  }
}

/** @throws {InvalidSetting} if there is no database file yet */
export function requireDatabase(env: Env): void {
  const file = databaseFile(env);
  if (!existsSync(file)) throw new InvalidSetting(`There is no database at ${file}: DATA_DIR or DATABASE_URL names another one.`);
}

function makePrivate(file: string): void {
  for (const part of ["", "-wal", "-shm"]) {
    try {
      chmodSync(file + part, 0o600);
    } catch {
      // The file is missing, or has another owner.
    }
  }
}

/** Database file of the demo cashier. */
export const cashierFile = ({ DATA_DIR }: Env): string => path.join(DATA_DIR, "cashier.db");

/** Path of the SQLite file; on PostgreSQL, the path that it would have. */
export function databaseFile({ DATABASE_URL, DATA_DIR }: Env): string {
  return path.resolve(/^file:/.test(DATABASE_URL) ? DATABASE_URL.replace(/^file:(\/\/)?/, "") : `${DATA_DIR}/rampe.db`);
}
