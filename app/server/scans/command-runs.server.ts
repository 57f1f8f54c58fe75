import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import type { Env } from "~/platform/env.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRuns, type Runs } from "~/runs/run.server";
import { secretsOf } from "~/server/storage/secrets.server";

/** Runs of all accounts, for a command beside the server. The server does the work, and notices changes within seconds. */
export function commandRuns(env: Env, db: Db): Runs {
  const queues = { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db, name: "site" }) };
  return createRuns({ db, queues, box: createSecretBox(secretsOf(env)), retentionDays: env.RETENTION_DAYS });
}
