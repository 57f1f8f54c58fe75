import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openPostgres } from "db/postgres.server";
import type { Db } from "db/schema";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRuns } from "~/runs/run.server";
import { testBox } from "../../support/database/database";
import { startMigrated, type PostgresServer } from "../../support/database/postgres";
import { startServer, type TestServer } from "../../support/servers/server";
import { settingsOf } from "../../support/database/server-database";
import type { Site } from "../../support/scan/site";

const SECRET = "a secret that all processes of a benchmark have in common";
const EMPTY_WORKER = fileURLToPath(new URL("empty-worker.ts", import.meta.url));

/** Starts a separate PostgreSQL server for the databases of `startServer`. @returns a function that stops it */
export async function startPostgresBench(): Promise<() => Promise<void>> {
  return (await startBench({ durable: false })).stop;
}

/** Starts a PostgreSQL server as in production: each commit is on the disk before its answer. */
export const startDurableBench = (): Promise<PostgresServer> => startBench({ durable: true });

function startBench(options: { durable: boolean }): Promise<PostgresServer> {
  process.env["TEST_DATABASE"] = "postgres";
  return startMigrated(options);
}

/** Starts a process of an installation; processes with the same folder share a database. */
export function startProcess(role: "web" | "worker", { dataDir, site, env = {} }: { dataDir: string; site: Site; env?: Record<string, string> }): Promise<TestServer> {
  const shared = { NODE_ENV: "production", LOG_LEVEL: "error", BILLING: "off", SESSION_SECRET: SECRET, SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` };
  return startServer({ dataDir, env: { ...shared, ROLE: role, ...env } });
}

export const addressOf = (dataDir: string): string => settingsOf({ dataDir }).DATABASE_URL ?? "";

/** Runs and queue of pages, as in a web server. */
export async function openRuns(dataDir: string) {
  const url = addressOf(dataDir);
  const db: Db = await openPostgres(url);
  const installation = await joinInstallation({ url, mayLead: false });
  const queues = { page: createDatabaseQueue({ db, installation }), site: createDatabaseQueue({ db, name: "site", installation }) };
  const runs = createRuns({ db, box: testBox, queues, retentionDays: 1 });
  return { db, runs, queue: queues.page, close: () => installation.stop().then(() => db.destroy()) };
}

/** Starts a process that takes jobs of pages without doing anything. */
export async function startEmptyWorker(url: string): Promise<ChildProcess> {
  const child = fork(EMPTY_WORKER, [url], { execArgv: process.execArgv });
  await once(child, "message");
  return child;
}
