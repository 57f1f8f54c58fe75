import type { Logger } from "pino";
import type { Db } from "db/schema";
import { InvalidSetting, type Env } from "~/platform/env.server";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import { createRunEvents, type RunEvents } from "~/runs/events.server";
import { weightOf } from "~/platform/limits/parties.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import type { Refuses } from "~/platform/web/start-address";
import { createCrawls } from "~/runs/crawl.server";
import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import { createRuns, type Runs } from "~/runs/run.server";
import { scanRun, scanSite } from "~/runs/scan-job.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { suitableConcurrency } from "~/scan/browser/concurrency";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import { createSiteFetch } from "~/scan/crawl/site-fetch";
import { createScanner } from "~/scan/visit/scanner";
import { eventLog } from "~/server/event-log.server";
import { meteredHandler, meteredScanner, type Meters } from "~/server/health/meters.server";

/** Grace period: running scans may finish before they are put back; the whole stop must take less than 10 s. */
const STOP_GRACE_MS = 3_000;
/** Site scans share the limit of pages analysed at once; each scan alone costs little. */
const SITES_AT_ONCE = 8;
/** Extra slots for new parties while all slots are taken; open pages are shared in turns, too. */
const MOST_NEWCOMERS = 8;

export interface ScanningServices {
  runs: Runs;
  events: RunEvents;
  /** Why an address may not be scanned, judged by its text. */
  refusesAddress: Refuses;
}

interface Started {
  services: ScanningServices;
  /** Resolves when pages can be scanned. */
  ready(): Promise<unknown>;
  /** Puts running scans back. */
  stop(): Promise<void>;
}

interface ScanningOptions {
  db: Db;
  box: SecretBox;
  /** Of the browser. */
  executablePath: string;
  hasSpace: () => boolean;
  acceptances: Acceptances;
  meters: Meters;
}

/** Creates runs and starts their queues at once. */
export async function startScanning(
  env: Env,
  log: Logger,
  { db, box, executablePath, hasSpace, acceptances, meters }: ScanningOptions,
): Promise<Started> {
  const { SCAN_USER_AGENT: userAgent, SCAN_ALLOW_PRIVATE: allowPrivate } = env;
  const report = eventLog(log);
  const policy = addressPolicy(env);
  const events = createRunEvents();
  const queues = {
    page: createDatabaseQueue({ db, weightOf, onStart: (ms) => meters.waited("page", ms), log: report }),
    site: createDatabaseQueue({ db, name: "site", weightOf, onStart: (ms) => meters.waited("site", ms), log: report }),
  };
  const runs = createRuns({ db, queues, mostWaiting: env.SCAN_WAITING_PER_ACCOUNT, box, retentionDays: env.RETENTION_DAYS, hasSpace, acceptances });
  const concurrency = env.SCAN_CONCURRENCY ?? suitableConcurrency();
  const scanner = meteredScanner(
    createScanner({ executablePath, concurrency, pageSeconds: env.SCAN_PAGE_SECONDS, allowPrivate, userAgent, ruleTexts: OWN_RULE_TEXTS, log: report }),
    meters,
  );

  // The first visitor should not wait for the browser; if it cannot start, /healthz and the first scan report it.
  scanner.ready().catch((error: unknown) => log.error({ err: error }, "the browser did not start"));

  const onChanged = (runId: string) => events.notify(runId);
  await queues.page.work(meteredHandler(scanRun({ runs, scanner, onChanged }), "page", meters), { concurrency: scanner.parallel, newcomers: MOST_NEWCOMERS });
  const fetch = createSiteFetch({ policy, userAgent, log: report });
  const crawls = createCrawls({ db, onChanged, log: report });
  const limits = { maxPages: env.SCAN_MAX_PAGES, mostMinutes: env.SCAN_SITE_MINUTES };
  const sites = scanSite({ runs, scanner, fetch, throttles: createHostThrottles(), crawls, userAgent, ...limits, onChanged });
  await queues.site.work(meteredHandler(sites, "site", meters), { concurrency: SITES_AT_ONCE, newcomers: MOST_NEWCOMERS });

  return {
    services: { runs, events, refusesAddress: (host, port) => policy.refuses(host, port) },
    ready: () => scanner.ready(),
    async stop() {
      // Each page of a site is stored on its own, so no grace period is needed.
      await Promise.all([queues.page.stop({ graceMs: STOP_GRACE_MS }), queues.site.stop({ graceMs: 0 })]);
      await scanner.stop();
    },
  };
}

/** @throws {InvalidSetting} */
export function addressPolicy({ SCAN_ALLOW_PRIVATE }: Env) {
  try {
    return createAddressPolicy(SCAN_ALLOW_PRIVATE);
  } catch (error) {
    throw new InvalidSetting(`SCAN_ALLOW_PRIVATE is unusable: ${(error as Error).message}.`);
  }
}
