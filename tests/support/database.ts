import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { migrate } from "db/migrate.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import type { DatabaseLocation } from "./server-database";

/** A location for a database of the current test; deleted with the test. */
export function freshLocation(): DatabaseLocation {
  const dataDir = makeFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  return { dataDir };
}

/** The same for tests of SQLite: the path of a file. */
export function freshDatabaseFile(): string {
  return path.join(freshLocation().dataDir, "test.sqlite");
}

/** A migrated SQLite database of the current test; closed and deleted with the test. */
export async function freshDatabase(): Promise<Db> {
  const file = freshDatabaseFile();
  writeFileSync(file, await (migrated ??= migratedFile()));
  const db = openSqlite(file);
  onTestFinished(() => db.destroy());
  return db;
}

/** Bytes of a migrated database. Every test gets a copy: copying takes a hundredth of the time of a migration. */
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

/** Encrypts the secrets of tests. */
export const testBox = createSecretBox(["a secret of the tests, long enough"]);
