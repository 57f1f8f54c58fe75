import path from "node:path";
import type { Logger } from "pino";
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";
import { UnusableSetting, type Env } from "./env.server";
import { createFreeChecks, type FreeChecks } from "./lib/free-checks.server";
import { createRunEvents, type RunEvents } from "./lib/run-events.server";
import type { Refuses } from "./lib/start-address";
import { createFindings, type FindingsReader } from "./models/finding.server";
import { createPages, type Pages } from "./models/page.server";
import { createRetention } from "./models/retention.server";
import { createRuns, type Runs } from "./models/run.server";
import { createStatistics, type Statistics } from "./models/statistics.server";
import { scanRun } from "./queue/scan-run.server";
import { createSqliteQueue } from "./queue/sqlite-queue.server";
import { createAddressPolicy } from "./scan/address-policy";
import { findBrowser } from "./scan/find-browser.mjs";
import { createScanner } from "./scan/scanner";
import type { Scanner } from "./scan/types";

/** Running scans get so long to finish before they are handed back; the whole stop must stay under 10 s. */
const STOP_GRACE_MS = 3_000;
const RETENTION_EVERY_MS = 3_600_000;

export interface Health {
  ok: boolean;
  database: "ok" | "failed";
  scanner: "ok" | "failed";
}

/** Everything routes may use. They get it with the request and name no concrete backend. */
export interface Services {
  env: Env;
  runs: Runs;
  pages: Pages;
  findings: FindingsReader;
  statistics: Statistics;
  events: RunEvents;
  freeChecks: FreeChecks;
  scanner: Pick<Scanner, "engine">;
  /** Why an address may not be scanned, as far as its text tells. */
  refusesAddress: Refuses;
  health(): Promise<Health>;
  /** Hands running scans back and closes browser and database; in less than 10 s. */
  stop(): Promise<void>;
}

/**
 * Builds what the application consists of, brings the database up to date and begins to work.
 * @throws when the database cannot be opened or there is no browser.
 */
export async function startServices(env: Env, log: Logger): Promise<Services> {
  const browser = findBrowser(process.env);
  if (!browser) throw new Error("there is no browser to check pages with; run `node scripts/setup.mjs`.");

  const db = openSqlite(path.resolve(env.DATABASE_URL.replace(/^file:(\/\/)?/, "")));
  await migrate(db);

  const policy = addressPolicy(env);
  const events = createRunEvents();
  const report = (event: string, fields?: Record<string, unknown>) => log.info(fields ?? {}, event);
  const queue = createSqliteQueue({ db, log: report });
  const runs = createRuns({ db, queue, retentionDays: env.RETENTION_DAYS });
  const retention = createRetention({ db });
  const scanner = createScanner({
    executablePath: browser.path,
    concurrency: env.SCAN_CONCURRENCY,
    pageSeconds: env.SCAN_PAGE_SECONDS,
    allowPrivate: env.SCAN_ALLOW_PRIVATE,
    userAgent: env.SCAN_USER_AGENT,
    log: report,
  });

  const cleanUp = () => retention.deleteExpired().catch((error: unknown) => log.error({ err: error }, "clean-up failed"));
  const cleanUps = setInterval(() => void cleanUp(), RETENTION_EVERY_MS);
  void cleanUp();
  await queue.work(scanRun({ runs, scanner, onChanged: events.notify }), { concurrency: scanner.concurrency });

  return {
    env,
    runs,
    pages: createPages({ db }),
    findings: createFindings({ db }),
    statistics: createStatistics({ db }),
    events,
    freeChecks: createFreeChecks({ perHour: env.FREE_CHECKS_PER_HOUR }),
    scanner,
    refusesAddress: policy.refuses,

    async health() {
      const [database, pool] = await Promise.allSettled([runs.find("", null), scanner.ready()]);
      return {
        ok: database.status === "fulfilled" && pool.status === "fulfilled",
        database: database.status === "fulfilled" ? "ok" : "failed",
        scanner: pool.status === "fulfilled" ? "ok" : "failed",
      };
    },

    async stop() {
      clearInterval(cleanUps);
      await queue.stop({ graceMs: STOP_GRACE_MS });
      await scanner.stop();
      await db.destroy();
    },
  };
}

function addressPolicy({ SCAN_ALLOW_PRIVATE }: Env) {
  try {
    return createAddressPolicy(SCAN_ALLOW_PRIVATE);
  } catch (error) {
    throw new UnusableSetting(`SCAN_ALLOW_PRIVATE is unusable: ${(error as Error).message}.`);
  }
}
