import { createQueueOverview, type QueueOverview } from "~/administration/queue.server";
import type { Env } from "~/platform/env.server";
import { commandRuns } from "~/server/scans/command-runs.server";
import { withDatabase } from "./command.server";

/**
 * Opens the scans of all accounts for a command, and closes the database afterwards.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function withScans<Result>(env: Env, work: (scans: QueueOverview) => Promise<Result>): Promise<Result> {
  return withDatabase(env, (db) => work(createQueueOverview({ db, runs: commandRuns(env, db) })));
}
