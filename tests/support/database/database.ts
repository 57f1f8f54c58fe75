import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { migrate } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { createDatabase, dropDatabase, emptyDatabase, postgresUrl, TEMPLATE } from "./postgres";
import type { DatabaseLocation } from "./server-database";

/** Location for a database of the current test; deleted with the test. */
export function freshLocation(): DatabaseLocation {
  const dataDir = makeFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  return { dataDir };
}

/** Path of a SQLite file for the current test. */
export function freshDatabaseFile(): string {
  return path.join(freshLocation().dataDir, "test.sqlite");
}

/** Migrated database of the current test, of its project's kind; closed and deleted with the test. */
export async function freshDatabase(): Promise<Db> {
  const server = postgresUrl();
  if (server) return freshPostgres(server);
  const file = freshDatabaseFile();
  writeFileSync(file, await (migrated ??= migratedFile()));
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  return db;
}

async function freshPostgres(server: string): Promise<Db> {
  const name = emptied.pop() ?? (await newPostgres(server, TEMPLATE));
  const db = await openPostgres(server + name);
  addresses.set(db, server + name);
  onTestFinished(async () => {
    await db.destroy();
    await emptyDatabase(server, name).then(() => emptied.push(name), () => dropDatabase(server, name));
  });
  return db;
}

const addresses = new WeakMap<Db, string>();

/** Address of a PostgreSQL database of the current test. */
export const addressOf = (db: Db): string => addresses.get(db) ?? "";

/** Databases of earlier tests: emptying one takes a tenth of the time that a new one takes. */
const emptied: string[] = [];

async function newPostgres(server: string, template?: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await createDatabase(server, name, template);
  return name;
}

/** Address of an empty PostgreSQL database, for projects that test PostgreSQL. */
export async function emptyPostgres(): Promise<string> {
  const server = postgresUrl() ?? "";
  return server + (await newPostgres(server));
}

/** Bytes of a migrated database. Every test uses a copy, which takes a hundredth of the time of a migration. */
let migrated: Promise<Buffer> | undefined;

async function migratedFile(): Promise<Buffer> {
  const folder = makeFolder();
  try {
    const file = path.join(folder, "test.sqlite");
    const db = openSqlite(file);
    await migrate(db);
    // Closing the last connection moves everything from the write-ahead log into the file.
    await db.destroy();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const makeFolder = () => mkdtempSync(path.join(tmpdir(), "rampe-test-"));

/** Box that encrypts the secrets of tests. */
export const testBox = createSecretBox(["a secret of the tests, long enough"]);
