import type { Logger } from "pino";
import { DAY_MS, HOUR_MS, HOUR_SECONDS, MINUTE_MS } from "~/platform/durations";
import { processEnv, type Env } from "~/platform/env.server";
import type { PaymentConnection } from "~/billing/connection";
import { withinOr } from "~/platform/async/deadline";
import { probeRead } from "~/platform/storage-probe.server";
import { VERSION } from "~/platform/product-name.server";
import { atMostEvery, startPeriodicTask } from "~/platform/async/periodic-task";
import { withLock } from "~/platform/installation/with-lock";
import { SINGLE_PROCESS } from "~/platform/installation/installation";
import { createRateLimit, type RateLimit } from "~/platform/limits/rate-limit.server";
import { deleteExpiredCounts } from "~/platform/limits/shared-counting.server";
import { createNetworkParties } from "~/platform/limits/parties.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { openLegalTexts, type LegalTexts } from "~/legal/legal-texts.server";
import { createMailOverview, type MailOverview } from "~/administration/mails.server";
import { createMessageOverview, type MessageOverview } from "~/administration/messages.server";
import type { Release } from "~/administration/release.server";
import { startReleaseWatch } from "~/administration/release-watch.server";
import { createQueueOverview, type QueueOverview } from "~/administration/queue.server";
import { writeLetter } from "~/mail/letters.server";
import type { Fulfilments } from "~/billing/fulfilment";
import { createPictureStore } from "~/findings/picture-store.server";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createFulfilments } from "~/runs/fulfilment.server";
import { readBacklog } from "./health/backlog.server";
import type { Health, Readiness } from "./health/health";
import { createMeters } from "./health/meters.server";
import { createScanRequests, type ScanRequests } from "~/runs/scan-request.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import { createRetention } from "~/runs/retention.server";
import { createRunObjects } from "~/findings/run-objects.server";
import { createStoredAccess } from "~/monitoring/schedule-access.server";
import { createScheduleLists, type ScheduleLists } from "~/monitoring/schedule-list.server";
import { createSchedules, type Schedules } from "~/monitoring/schedule.server";
import { createFinishedMails, type FinishedMails } from "~/monitoring/finished-mails.server";
import { createWebsites, type Websites } from "~/monitoring/websites/websites.server";
import { createRemotePrinter, deleteForgottenPrints } from "~/reports/pdf/remote-printer.server";
import { createStatistics, type Statistics } from "~/runs/statistics.server";
import { deleteOldCopies } from "~/administration/backup/update-copies.server";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import { administrationOf, type AdministrationServices } from "./accounts/administration.server";
import { startBackups } from "./storage/backup.server";
import { startBilling, type BillingServices } from "./billing/billing.server";
import { openDatabase } from "./storage/database.server";
import { eventLog } from "./event-log.server";
import { startIdentity, type IdentityServices } from "./accounts/identity.server";
import { openInstallation } from "./installation.server";
import { openObjects } from "./storage/object-storage.server";
import { openReports, type ReportServices } from "./scans/reports.server";
import { startScanWorker } from "./scans/scan-worker.server";
import { deleteForgottenOffers } from "./scans/remote-checks.server";
import { openScanning, type ScanningServices } from "./scans/scanning.server";
import { keepSecret } from "./storage/keep-secret.server";
import { secretsOf } from "./storage/secrets.server";
import { watchStorage, type Storage } from "./storage/disk-space.server";

const CLEAN_UP_EVERY_MS = HOUR_MS;
const LOOK_EVERY_MS = MINUTE_MS;
const SCHEDULES_EVERY_MS = MINUTE_MS;
const READY_WITHIN_MS = 2_000;

/** All services for routes. Routes get them with the request, independent of concrete backends. */
export interface Services extends ScanningServices, ReportServices, IdentityServices, BillingServices, AdministrationServices {
  env: Env;
  /** Version of the product, such as `0.1.0`. */
  version: string;
  /** Newer version; null if there is none, or without `RELEASES_URL`. */
  newerRelease: () => Release | null;
  legal: LegalTexts;
  purchases: PurchaseModel;
  scanRequests: ScanRequests;
  fulfilments: Fulfilments;
  schedules: Schedules;
  scheduleLists: ScheduleLists;
  websites: Websites;
  finishedMails: FinishedMails;
  statistics: Statistics;
  queueOverview: QueueOverview;
  messageOverview: MessageOverview;
  mailOverview: MailOverview;
  /** Metrics for Prometheus. */
  metrics(): Promise<{ type: string; text: string }>;
  /** Rate limit of free checks, by client network. */
  freeChecks: RateLimit;
  /** Party of a network: free checks take turns by network. */
  networkParty: (address: string) => string;
  health(): Promise<Health>;
  readiness(): Promise<Readiness>;
  /** True if no worker is running: scans then wait until one starts. */
  isUnattended(): Promise<boolean>;
  /** Runs the work while this process holds the lock with that name; waits for the lock. */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** True if this process is the leader of the installation. */
  leads: () => boolean;
  /** State of the last check, some seconds old. */
  storage: () => Storage;
  /** Puts running scans back, closes browser and database; takes less than 10 s. */
  stop(): Promise<void>;
}

/**
 * Creates all services, migrates the database and starts the work.
 * @throws if the database cannot be opened or there is no browser.
 */
export async function startServices(env: Env, log: Logger, payments: PaymentConnection | null): Promise<Services> {
  const isWorking = env.ROLE !== "web";
  const executablePath = isWorking ? requireBrowser() : "";

  const legal = openLegalTexts({
    folder: env.DATA_DIR,
    baseUrl: env.BASE_URL,
    addresses: { terms: env.OPERATOR_TERMS_URL, withdrawal: env.OPERATOR_WITHDRAWAL_URL },
    vat: env.OPERATOR_VAT,
  });
  const stopping = new AbortController();
  const report = eventLog(log);
  const db = await openDatabase(env, { stopping: stopping.signal, log: report });
  const secrets = secretsOf(env);
  const box = createSecretBox(secrets);
  const { installation, counting } = await openInstallation(env, { secret: secrets[0] ?? "", log: report });
  const isSingleProcess = installation === SINGLE_PROCESS;
  await keepSecret(db, { box, isOnly: secrets.length === 1, installation }, log);
  const meters = createMeters();
  const objects = await openObjects(env, { db, log: report });
  const pictures = createPictureStore({ db, objects });
  const runObjects = objects && createRunObjects({ db, objects, log: report });
  const storage = await watchStorage(env, log, { db, installation, deleteObjectsOf: runObjects?.deleteOf });
  const acceptances = createAcceptances({ db });
  const { services: scanning, queues } = openScanning(env, { db, box, acceptances, installation, hasSpace: storage.hasSpace, meters, log: report });
  const { runs, events } = scanning;
  const identity = startIdentity(env, log, { db, box, secrets, installation, runs, counting, onMail: meters.mail });
  storage.start(identity.mails);
  const worker = isWorking ? await startScanWorker(env, log, { db, queues, runs, events, pictures, executablePath, installation, meters }) : null;
  const printer = worker?.printer ?? createRemotePrinter({ db, queue: queues.print, installation });

  const open = payments === null;
  const purchases = createPurchases({ db, log: (message) => log.info(message) });
  const scanRequests = createScanRequests({
    ...{ db, runs, purchases, open },
    trialScans: env.TRIAL_SCANS,
    confirmedOnly: env.REGISTRATION !== "open",
    limits: { waiting: env.SCAN_WAITING_PER_ACCOUNT, pages: env.SCAN_MAX_PAGES },
  });
  const finishedMails = createFinishedMails({ db, acceptances, box, mails: identity.mails, write: writeLetter, baseUrl: env.BASE_URL, log: report });
  const fulfilments = createFulfilments({ db, runs, scanRequests, mailWish: finishedMails.wishFor, storedAccess: createStoredAccess({ db, box }).of });
  const selling = startBilling(env, log, { db, legal, mails: identity.mails, purchases, fulfilments, installation }, payments);
  const { billing } = selling.services;
  const reporting = openReports(env, log, { db, runs, acceptances, scanRequests, printer, pictures, objects });
  const { histories, runChanges, shares } = reporting;
  const schedules = createSchedules({
    ...{ db, histories, scanRequests, open, box, purchases },
    mails: identity.mails,
    write: writeLetter,
    baseUrl: env.BASE_URL,
    log: report,
  });
  // Separate tasks: a failure must not stop the others.
  const repetitions = [schedules, finishedMails, runChanges].map(({ tick }) =>
    startPeriodicTask({ everyMs: SCHEDULES_EVERY_MS, work: ifLeading(tick), onError: (error) => log.error({ err: error }, "schedules are behind") }),
  );

  const backups = startBackups(env, log);
  const releases = startReleaseWatch({ address: env.RELEASES_URL, version: VERSION, log: report });
  const administration = administrationOf(env, { db, mails: identity.mails, accounts: identity.services.accounts, runs, onRunChanged: events.notify });
  const retention = createRetention({ db, deleteObjectsOf: runObjects?.deleteOf });
  const clean = [retention, shares, identity, administration.auditLog, administration.invitations];
  const cleanUp = () => Promise.all([...clean.map((each) => each.deleteExpired()), billing?.deleteExpired(), deleteOldCopies(env.DATA_DIR), deleteForgottenPrints(db), deleteForgottenOffers(db), deleteExpiredCounts(db)]);
  const cleanUps = startPeriodicTask({
    everyMs: LOOK_EVERY_MS,
    atOnce: true,
    work: ifLeading(atMostEvery(CLEAN_UP_EVERY_MS, cleanUp)),
    onError: (error) => log.error({ err: error }, "clean-up failed"),
  });
  // Separate task: it lists all objects, which takes long.
  const orphans = startPeriodicTask({
    everyMs: LOOK_EVERY_MS,
    work: ifLeading(atMostEvery(DAY_MS, async () => runObjects?.deleteOrphans())),
    onError: (error) => log.error({ err: error }, "unused objects could not be deleted"),
  });

  return {
    env,
    version: VERSION,
    newerRelease: releases.newer,
    legal,
    ...identity.services,
    ...selling.services,
    ...scanning,
    ...reporting,
    ...administration,
    purchases,
    scanRequests,
    fulfilments,
    schedules,
    scheduleLists: createScheduleLists({ db, purchases, open }),
    finishedMails,
    websites: createWebsites({ db, purchases, open, acceptances }),
    statistics: createStatistics({ db }),
    queueOverview: createQueueOverview({ db, runs, onChanged: events.notify }),
    messageOverview: createMessageOverview({ db }),
    mailOverview: createMailOverview({ db, outbox: identity.outbox }),
    freeChecks: createRateLimit({ name: "free checks", points: env.FREE_CHECKS_PER_HOUR, seconds: HOUR_SECONDS }, counting),
    networkParty: createNetworkParties(isSingleProcess ? undefined : secrets[0]),

    leads: installation.leads,
    withLock: (name, work) => withLock(installation, name, work),
    storage: storage.last,

    health,
    readiness,
    isUnattended: async () => !isWorking && (await workerCount()) === 0,
    metrics: async () => meters.write({ health: await health(), workers: await workerCount(), storage: storage.last(), backlog: await withinOr(READY_WITHIN_MS, readBacklog(db).catch(() => null), null) }),

    async stop() {
      stopping.abort();
      await Promise.all([identity.stop(), selling.stop(), ...repetitions.map((each) => each.stop()), cleanUps.stop(), orphans.stop(), storage.stop(), objects?.stop(), worker ? worker.stop() : printer.stop(), backups?.stop(), releases.stop()]);
      await installation.stop();
      await db.destroy();
    },
  };

  async function readiness(): Promise<Readiness> {
    if (stopping.signal.aborted) return { version: VERSION, ready: false, reason: "stopping" };
    return (await databaseAnswers()) ? { version: VERSION, ready: true } : { version: VERSION, ready: false, reason: "database" };
  }

  function databaseAnswers(): Promise<boolean> {
    return withinOr(READY_WITHIN_MS, probeRead(db).then(() => true, () => false), false);
  }

  /** @returns number of workers; null while the database does not answer */
  function workerCount(): Promise<number | null> {
    return withinOr(READY_WITHIN_MS, installation.workers().catch(() => null), null);
  }

  /** Work of the leader only. */
  function ifLeading(work: () => Promise<unknown>): () => Promise<unknown> {
    return async () => installation.leads() && work();
  }

  async function health(): Promise<Health> {
    const [database, scanner, workers] = await Promise.all([databaseAnswers(), worker?.ready().then(() => true, () => false), isWorking ? null : workerCount()]);
    return {
      version: VERSION,
      ok: database && scanner !== false && storage.last().state !== "failed",
      database: database ? "ok" : "failed",
      ...(scanner !== undefined && { scanner: scanner ? ("ok" as const) : ("failed" as const) }),
      ...(workers !== null && { workers }),
      disk: storage.last().state,
      ...(backups && { backup: backups.state() }),
      ...(objects && { storage: objects.isReadable() && objects.isWritable() ? ("ok" as const) : ("failed" as const) }),
    };
  }
}

/** @returns path of the browser for checks */
function requireBrowser(): string {
  const browser = findBrowser(processEnv());
  if (!browser) throw new Error("there is no browser to check pages with: install one (Debian: apt-get install chromium-headless-shell), or set CHROME_PATH.");
  return browser.path;
}
