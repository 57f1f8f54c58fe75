import { createQueueOverview, type QueueOverview } from "~/administration/queue.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import type { Env } from "~/platform/env.server";
import { createSqliteQueue } from "~/platform/jobs/sqlite-queue.server";
import { createRuns } from "~/runs/run.server";
import { openExistingDatabase } from "~/server/database.server";
import { secretsOf } from "~/server/secrets.server";

/**
 * Opens the scans of all accounts for a command, and closes the database. The server does the work: it notices within seconds.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function withScans<Result>(env: Env, work: (scans: QueueOverview) => Promise<Result>): Promise<Result> {
  const db = await openExistingDatabase(env);
  try {
    const queues = { page: createSqliteQueue({ db }), site: createSqliteQueue({ db, name: "site" }) };
    const runs = createRuns({ db, queues, box: createSecretBox(secretsOf(env)), retentionDays: env.RETENTION_DAYS });
    return await work(createQueueOverview({ db, runs }));
  } finally {
    await db.destroy();
  }
}
