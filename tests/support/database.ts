import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { migrate } from "db/migrate.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { createSecretBox } from "~/lib/secret-box.server";

/** A path for a database of the current test's own, in a folder that goes with the test. */
export function freshDatabaseFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "rampe.db");
}

/** A migrated database of the current test's own; closed and deleted with it. */
export async function freshDatabase(): Promise<Db> {
  const db = openSqlite(freshDatabaseFile());
  onTestFinished(() => db.destroy());
  await migrate(db);
  return db;
}

/** Seals what a test has to keep secret. */
export const testBox = createSecretBox(["a secret of the tests, long enough"]);
