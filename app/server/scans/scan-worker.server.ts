import type { Logger } from "pino";
import type { Db } from "db/schema";
import type { PictureStore } from "~/findings/picture-store.server";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import type { Env } from "~/platform/env.server";
import { SINGLE_PROCESS, type Installation } from "~/platform/installation/installation";
import { createSharedHostSlots } from "~/platform/installation/shared-host-slots";
import { createPdfPrinter, type PdfPrinter } from "~/reports/pdf/printer.server";
import { printForOthers } from "~/reports/pdf/remote-printer.server";
import { createCrawls } from "~/runs/crawl.server";
import { scanRun, scanSite } from "~/runs/scan-job.server";
import { suitableConcurrency } from "~/scan/browser/concurrency";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import { createSiteFetch } from "~/scan/crawl/site-fetch";
import { createScanner } from "~/scan/visit/scanner";
import { eventLog } from "~/server/event-log.server";
import { meteredHandler, meteredScanner, type Meters } from "~/server/health/meters.server";
import { addressPolicy } from "./address-setting.server";
import { createRemoteChecks } from "./remote-checks.server";
import type { Queues, ScanningServices } from "./scanning.server";

/** Grace period for running scans before they are put back; the whole stop must take less than 10 s. */
const STOP_GRACE_MS = 3_000;
/** Maximum concurrent site scans: they share the limit of pages analysed at once, and each scan itself costs little. */
const SITES_AT_ONCE = 8;
/** Extra slots for new parties while all slots are taken; parties also share open pages in turns. */
const MOST_NEWCOMERS = 8;

export interface ScanWorker {
  printer: PdfPrinter;
  /** Resolves when pages can be scanned. */
  ready(): Promise<unknown>;
  /** Puts running scans back into the queue. */
  stop(): Promise<void>;
}

interface WorkerOptions extends Pick<ScanningServices, "runs" | "events"> {
  db: Db;
  queues: Queues;
  pictures: PictureStore;
  /** Path of the browser. */
  executablePath: string;
  installation: Installation;
  meters: Meters;
}

/** Starts a worker: it scans the queued pages and sites, and prints. Pages are scanned at once. */
export async function startScanWorker(env: Env, log: Logger, { db, queues, runs, events, pictures, executablePath, installation, meters }: WorkerOptions): Promise<ScanWorker> {
  const { SCAN_USER_AGENT: userAgent, SCAN_ALLOW_PRIVATE: allowPrivate } = env;
  const report = eventLog(log);
  const concurrency = env.SCAN_CONCURRENCY ?? suitableConcurrency();
  const scanner = meteredScanner(
    createScanner({ executablePath, concurrency, pageSeconds: env.SCAN_PAGE_SECONDS, allowPrivate, userAgent, ruleTexts: OWN_RULE_TEXTS, log: report }),
    meters,
  );
  // An installation of one process has no other worker.
  const remote = installation === SINGLE_PROCESS ? undefined : createRemoteChecks({ db, scanner, queue: queues.remote, installation });
  const printer = createPdfPrinter({ executablePath, log: report });

  // Early start of the browser, so that the first visitor need not wait. If it fails, /healthz and the first scan report it.
  scanner.ready().catch((error: unknown) => log.error({ err: error }, "the browser did not start"));

  const onChanged = (runId: string) => events.notify(runId);
  await queues.page.work(meteredHandler(scanRun({ runs, scanner: remote?.local ?? scanner, pictures, onChanged }), "page", meters), { concurrency: scanner.parallel, newcomers: MOST_NEWCOMERS });
  const fetch = createSiteFetch({ policy: addressPolicy(env), userAgent, log: report });
  const crawls = createCrawls({ db, pictures, onChanged, log: report });
  const throttles = createHostThrottles(installation === SINGLE_PROCESS ? undefined : createSharedHostSlots(installation));
  const limits = { maxPages: env.SCAN_MAX_PAGES, mostMinutes: env.SCAN_SITE_MINUTES };
  const sites = scanSite({ runs, scanner, scannerOf: remote?.scannerOf, fetch, throttles, crawls, userAgent, ...limits, onChanged });
  await queues.site.work(meteredHandler(sites, "site", meters), { concurrency: SITES_AT_ONCE, newcomers: MOST_NEWCOMERS });
  if (remote) await queues.remote.work(remote.handler, { concurrency: scanner.parallel, isFree: remote.isFree });
  // Printing for others: only an installation on several machines has processes without a browser.
  if (installation !== SINGLE_PROCESS) await queues.print.work(printForOthers({ db, printer, installation }), { concurrency: 1 });

  return {
    printer,
    ready: () => scanner.ready(),
    async stop() {
      // No grace period for sites, because each of their pages is stored on its own.
      await Promise.all([queues.page.stop({ graceMs: STOP_GRACE_MS }), queues.site.stop({ graceMs: 0 }), queues.remote.stop({ graceMs: STOP_GRACE_MS }), queues.print.stop({ graceMs: STOP_GRACE_MS })]);
      await Promise.all([scanner.stop(), printer.stop()]);
    },
  };
}
