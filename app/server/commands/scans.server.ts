import { createQueueOverview, type QueueOverview } from "~/administration/queue.server";
import type { Env } from "~/platform/env.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { commandRuns } from "~/server/scans/command-runs.server";

/**
 * Opens the scans of all accounts for a command, and closes the database.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function withScans<Result>(env: Env, work: (scans: QueueOverview) => Promise<Result>): Promise<Result> {
  const db = await openExistingDatabase(env);
  try {
    return await work(createQueueOverview({ db, runs: commandRuns(env, db) }));
  } finally {
    await db.destroy();
  }
}
