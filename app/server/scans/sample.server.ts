import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";
import type { Env } from "~/platform/env.server";
import sampleReport from "~/reports/sample/sample-report.json";
import { openSample, storedSample, type Sample, type StoredSample } from "~/reports/sample/sample.server";
import { openDatabase } from "~/server/storage/database.server";

/** Sample report of the product, in its own in-memory database. */
export async function readSample(): Promise<Sample> {
  const db = openSqlite(":memory:");
  await migrate(db);
  return openSample(db, sampleReport as unknown as StoredSample);
}

/** Only run in a data folder, for the command that makes the sample. */
export async function takeSample(env: Env): Promise<StoredSample> {
  const db = await openDatabase(env);
  return storedSample(db).finally(() => db.destroy());
}
