import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Cookie } from "@remix-run/node";
import type { Logger } from "pino";
import type { Authenticator } from "remix-auth";
import { migrate } from "db/migrate.server";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import { surroundings, UnusableSetting, type Env } from "./env.server";
import type { PaymentConnection } from "~/billing/connection";
import { createStripe } from "~/billing/stripe-client.server";
import { createStripeProvider } from "~/billing/stripe-provider.server";
import { createAuth0 } from "~/identity/auth0.server";
import { createBackgroundScrypt } from "~/identity/background-scrypt.server";
import type { HostedIdentity } from "~/identity/hosted";
import { createLocalAuthenticator } from "~/identity/local.server";
import { passwordProblem } from "~/identity/password-rules.server";
import { createPasswords } from "~/identity/passwords.server";
import { createThrottle, type Throttle } from "~/identity/throttle.server";
import type { PasswordProblem } from "~/lib/account-forms.server";
import { writeContactLetter } from "~/lib/contact-letter.server";
import { createApiLimits, type ApiLimits } from "~/lib/api-limits.server";
import { createFreeChecks, type FreeChecks } from "~/lib/free-checks.server";
import { createRunEvents, type RunEvents } from "~/lib/run-events.server";
import { createSecretBox, type SecretBox } from "~/lib/secret-box.server";
import { earlierSecrets, storedSecrets } from "~/lib/session-secrets.server";
import type { Refuses } from "~/lib/start-address";
import { createFileMailer } from "~/mail/file-mailer.server";
import { writeLetter } from "~/mail/letters.server";
import { createPostman } from "~/mail/postman.server";
import { createSmtpMailer } from "~/mail/smtp-mailer.server";
import { createAccounts, type Accounts } from "~/models/account.server";
import { createApiTokens, type ApiTokens } from "~/models/api-token.server";
import { createBilling, type Billing } from "~/models/billing.server";
import { createChecks, type Checks } from "~/models/check.server";
import { createCrawls } from "~/models/crawl.server";
import { createEntitlements, type Entitlements } from "~/models/entitlement.server";
import { createEvidence, type Evidence } from "~/models/evidence.server";
import { createExports, type Exports } from "~/models/export.server";
import { createFindings, type FindingsReader } from "~/models/finding.server";
import { createHistories, type Histories } from "~/models/history.server";
import { createIdempotency, type Idempotency } from "~/models/idempotency.server";
import { createMails, type Mails } from "~/models/mail.server";
import { createMessages, type Messages } from "~/models/message.server";
import { createMetrics, type Metrics } from "~/models/metrics.server";
import { createPages, type Pages } from "~/models/page.server";
import { createOrders, type Orders } from "~/models/order.server";
import { createPurchases, type PurchaseModel } from "~/models/purchase.server";
import { createRetention } from "~/models/retention.server";
import { createReports, type Reports } from "~/models/report.server";
import { createReviews, type Reviews } from "~/models/review.server";
import { createRunLists, type RunLists } from "~/models/run-list.server";
import { createRuns, type Runs } from "~/models/run.server";
import { openSample, storedSample, type Sample, type StoredSample } from "~/models/sample.server";
import { createScheduleLists, type ScheduleLists } from "~/models/schedule-list.server";
import { createSchedules, type Schedules } from "~/models/schedule.server";
import { createSessions, type Sessions } from "~/models/session.server";
import { createShares, type Shares } from "~/models/share.server";
import { createStatistics, type Statistics } from "~/models/statistics.server";
import { createUsers, type User, type Users } from "~/models/user.server";
import { createPdfPrinter } from "~/pdf/printer.server";
import { createReportPdfs, type ReportPdfs } from "~/pdf/run-report.server";
import { scanRun, scanSite } from "~/queue/scan-run.server";
import { createSqliteQueue } from "~/queue/sqlite-queue.server";
import { createAddressPolicy } from "~/scan/address-policy";
import { suitableConcurrency } from "~/scan/concurrency";
import { createPaces } from "~/scan/crawl/pace";
import { createSiteFetch } from "~/scan/crawl/site-fetch";
import { findBrowser } from "~/scan/find-browser.mjs";
import { createScanner } from "~/scan/scanner";
import sampleReport from "./lib/sample-report.json";
import { createSessionCookie } from "./visitor.server";

/** Running scans get so long to finish before they are handed back; the whole stop must stay under 10 s. */
const STOP_GRACE_MS = 3_000;
/** They share the pages that are analysed at once; each of them alone costs little. */
const SITES_AT_ONCE = 8;
const RETENTION_EVERY_MS = 3_600_000;
const BILLING_EVERY_MS = 30_000;
const SCHEDULES_EVERY_MS = 60_000;

export interface Health {
  ok: boolean;
  database: "ok" | "failed";
  scanner: "ok" | "failed";
}

/** Everything routes may use. They get it with the request and name no concrete backend. */
export interface Services {
  env: Env;
  runs: Runs;
  runLists: RunLists;
  orders: Orders;
  reports: Reports;
  exports: Exports;
  reportPdfs: ReportPdfs;
  evidence: Evidence;
  histories: Histories;
  reviews: Reviews;
  shares: Shares;
  schedules: Schedules;
  scheduleLists: ScheduleLists;
  /** The report that everybody may read. */
  sample: () => Promise<Sample>;
  pages: Pages;
  findings: FindingsReader;
  checks: Checks;
  statistics: Statistics;
  metrics: Metrics;
  events: RunEvents;
  freeChecks: FreeChecks;
  users: Users;
  /** What people write to the operator. */
  messages: Messages;
  accounts: Accounts;
  sessions: Sessions;
  sessionCookie: Cookie;
  entitlements: Entitlements;
  /** Tells who has sent a log-in form of this installation. */
  authenticator: Authenticator<User>;
  /** Null where accounts live in this installation. */
  hosted: HostedIdentity | null;
  purchases: PurchaseModel;
  /** Null where nothing is sold. */
  billing: Billing | null;
  throttle: Throttle;
  apiTokens: ApiTokens;
  apiLimits: ApiLimits;
  idempotency: Idempotency;
  passwordProblem: PasswordProblem;
  /** No mails are sent: they are kept in the data folder. */
  keepsMails: boolean;
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
export async function startServices(env: Env, log: Logger, payments: PaymentConnection | null): Promise<Services> {
  const browser = findBrowser(surroundings());
  if (!browser) throw new Error("there is no browser to check pages with; run `node scripts/setup.mjs`.");

  const db = await openDatabase(env);

  const secrets = secretsOf(env);
  const box = createSecretBox(secrets);
  const identity = startIdentity(env, log, { db, box, secrets });
  const selling = startBilling(env, log, { db, mails: identity.mails }, payments);
  const policy = addressPolicy(env);
  const events = createRunEvents();
  const report = eventLog(log);
  const queues = {
    page: createSqliteQueue({ db, log: report }),
    site: createSqliteQueue({ db, name: "site", log: report }),
  };
  const runs = createRuns({ db, queues, box, retentionDays: env.RETENTION_DAYS });
  const retention = createRetention({ db });
  const shares = createShares({ db });
  const scanner = createScanner({
    executablePath: browser.path,
    concurrency: env.SCAN_CONCURRENCY ?? suitableConcurrency(),
    pageSeconds: env.SCAN_PAGE_SECONDS,
    allowPrivate: env.SCAN_ALLOW_PRIVATE,
    userAgent: env.SCAN_USER_AGENT,
    log: report,
  });

  // The first visitor should not wait for the browser; if it cannot start, /healthz and the first check say so.
  scanner.ready().catch((error: unknown) => log.error({ err: error }, "the browser did not start"));

  const cleanUp = () =>
    Promise.all([retention.deleteExpired(), shares.deleteExpired(), identity.deleteExpired(), selling.billing?.deleteExpired()]).catch((error: unknown) =>
      log.error({ err: error }, "clean-up failed"),
    );
  const cleanUps = setInterval(() => void cleanUp(), RETENTION_EVERY_MS);
  void cleanUp();
  const onChanged = (runId: string) => events.notify(runId);
  await queues.page.work(scanRun({ runs, scanner, onChanged }), { concurrency: scanner.parallel });
  const fetch = createSiteFetch({ policy, userAgent: env.SCAN_USER_AGENT, log: report });
  await queues.site.work(
    scanSite({
      runs,
      scanner,
      fetch,
      paces: createPaces(),
      crawls: createCrawls({ db, onChanged }),
      userAgent: env.SCAN_USER_AGENT,
      maxPages: env.SCAN_MAX_PAGES,
      onChanged,
    }),
    { concurrency: SITES_AT_ONCE },
  );

  const pages = createPages({ db });
  const findings = createFindings({ db });
  const reports = createReports({ db });
  const evidence = createEvidence({ db });
  const reviews = createReviews({ db });
  const printer = createPdfPrinter({ executablePath: browser.path, log: report });
  const open = selling.billing === null;
  const orders = createOrders({ db, runs, purchases: selling.purchases, open, trialScans: env.TRIAL_SCANS });
  const histories = createHistories({ db });
  const schedules = createSchedules({
    ...{ db, histories, orders, open, box },
    purchases: selling.purchases,
    mails: identity.mails,
    write: writeLetter,
    baseUrl: env.BASE_URL,
    log: report,
  });
  const repetitions = everySoOften(SCHEDULES_EVERY_MS, log, "schedules are behind", () => schedules.tick());
  return {
    env,
    runs,
    runLists: createRunLists({ db, runs }),
    orders,
    reports,
    exports: createExports({ pages, findings, reviews, product: productName() }),
    reportPdfs: createReportPdfs({
      reports,
      pages,
      evidence,
      reviews,
      printer,
      operator: env.OPERATOR_NAME ?? null,
      baseUrl: env.BASE_URL,
    }),
    evidence,
    histories,
    reviews,
    shares,
    schedules,
    scheduleLists: createScheduleLists({ db }),
    sample: onDemand(readSample),
    pages,
    findings,
    checks: createChecks({
      runs,
      pages,
      findings,
      pageSeconds: env.SCAN_PAGE_SECONDS,
      userAgent: env.SCAN_USER_AGENT,
    }),
    statistics: createStatistics({ db }),
    metrics: createMetrics({ db }),
    ...identity.services,
    purchases: selling.purchases,
    billing: selling.billing,
    events,
    freeChecks: createFreeChecks({ perHour: env.FREE_CHECKS_PER_HOUR }),
    refusesAddress: (host, port) => policy.refuses(host, port),

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
      await Promise.all([
        identity.stop(),
        selling.stop(),
        repetitions.stop(),
        queues.page.stop({ graceMs: STOP_GRACE_MS }),
        // Its pages are kept one by one, so that there is nothing to wait for.
        queues.site.stop({ graceMs: 0 }),
      ]);
      await Promise.all([scanner.stop(), printer.stop()]);
      await db.destroy();
    },
  };
}

/** What is sold, and the work that keeps it equal to what the provider knows. */
function startBilling(env: Env, log: Logger, { db, mails }: { db: Db; mails: Mails }, payments: PaymentConnection | null) {
  const purchases = createPurchases({ db });
  if (!payments) return { purchases, billing: null, stop: async () => {} };
  const { secretKey, webhookSecret, address } = payments;
  const provider = createStripeProvider({ stripe: createStripe(secretKey, address), webhookSecret });
  const billing = createBilling({ db, provider, purchases, mails, write: writeLetter, baseUrl: env.BASE_URL, log: eventLog(log) });
  const rounds = everySoOften(BILLING_EVERY_MS, log, "billing is behind", async () => {
    await billing.writeUrls();
    await billing.reconcileStale();
  });
  return { purchases, billing, stop: () => rounds.stop() };
}

/** Does something again and again, never twice at once; what fails is logged and done again. */
function everySoOften(ms: number, log: Logger, failed: string, work: () => Promise<void>) {
  let round = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    round = work()
      .catch((error: unknown) => log.error({ err: error }, failed))
      .finally(() => (isRunning = false));
  }, ms);
  return {
    /** Gives what is under way a second; a provider may take longer than a stop has. */
    async stop() {
      clearInterval(timer);
      await Promise.race([round, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    },
  };
}

function hostedIdentity(env: Env, secrets: string[]): HostedIdentity | null {
  const { AUTH0_DOMAIN: domain, AUTH0_CLIENT_ID: clientId, AUTH0_CLIENT_SECRET: clientSecret } = env;
  if (!domain || !clientId || !clientSecret) return null;
  return createAuth0({
    domain,
    clientId,
    clientSecret,
    audience: env.AUTH0_AUDIENCE,
    organization: env.AUTH0_ORGANIZATION,
    baseUrl: env.BASE_URL,
    secrets,
  });
}

/** The accounts alone, for a command beside the server. */
export async function openAccounts(env: Env): Promise<{ accounts: Accounts; close: () => Promise<void> }> {
  const file = databaseFile(env);
  if (!existsSync(file)) throw new UnusableSetting(`There is no database at ${file}: DATA_DIR or DATABASE_URL names another one.`);
  const db = await openDatabase(env);
  const box = createSecretBox(secretsOf(env));
  return { accounts: accountsOf(env, db, createMails({ db, box })), close: () => db.destroy() };
}

/** The only run in a data folder, for the command that makes the sample. */
export async function takeSample(env: Env): Promise<StoredSample> {
  const db = await openDatabase(env);
  return storedSample(db).finally(() => db.destroy());
}

/** The first one signs and seals. */
function secretsOf({ SESSION_SECRET, DATA_DIR }: Env): string[] {
  return SESSION_SECRET ? [...SESSION_SECRET, ...earlierSecrets(DATA_DIR)] : storedSecrets(DATA_DIR);
}

function accountsOf({ BASE_URL }: Env, db: Db, mails: Mails): Accounts {
  const passwords = createPasswords({ scrypt: createBackgroundScrypt() });
  return createAccounts({ db, passwords, mails, write: writeLetter, baseUrl: BASE_URL });
}

/** People, their sessions, and the mails they get. */
function startIdentity(env: Env, log: Logger, { db, box, secrets }: { db: Db; box: SecretBox; secrets: string[] }) {
  const from = env.MAIL_FROM ?? `Rampe <noreply@${new URL(env.BASE_URL).hostname}>`;
  const outbox = path.join(env.DATA_DIR, "outbox");
  const mails = createMails({ db, box, onPosted: () => postman.wake(), log: eventLog(log) });
  const mailer = env.SMTP_URL
    ? createSmtpMailer({ url: env.SMTP_URL, from })
    : createFileMailer({ folder: outbox, from });
  const postman = createPostman({ store: mails, mailer, log: eventLog(log) });
  const users = createUsers({ db });
  const accounts = accountsOf(env, db, mails);
  const contact = env.CONTACT_TO ?? env.OPERATOR_EMAIL ?? null;
  const messages = createMessages({ db, mails, write: writeContactLetter, to: contact });
  const sessions = createSessions({ db, box, days: env.SESSION_DAYS });
  const apiTokens = createApiTokens({ db });
  const idempotency = createIdempotency({ db });
  const started = mails
    .resume()
    .then(() => messages.postWaiting())
    .catch((error: unknown) => log.error({ err: error }, "mails under way were not taken up again"))
    .finally(() => postman.start());

  return {
    services: {
      users,
      messages,
      accounts,
      sessions,
      sessionCookie: createSessionCookie({ secrets, baseUrl: env.BASE_URL, days: env.SESSION_DAYS }),
      entitlements: createEntitlements({ db, open: env.BILLING === "off" || env.TRIAL_SCANS > 0 }),
      authenticator: createLocalAuthenticator(accounts),
      hosted: hostedIdentity(env, secrets),
      throttle: createThrottle(),
      apiTokens,
      apiLimits: createApiLimits(),
      idempotency,
      passwordProblem,
      keepsMails: !env.SMTP_URL,
    },
    mails,
    deleteExpired: () =>
      Promise.all([
        sessions.deleteExpired(),
        accounts.deleteExpiredLinks(),
        users.deleteUnclaimed(),
        apiTokens.deleteExpired(),
        idempotency.deleteExpired(),
        mails.deleteExpired(),
        messages.deleteExpired(),
        mailer.deleteExpired?.(),
      ]),
    stop: () => started.then(() => postman.stop()),
  };
}

/** In a database of its own, which is gone with the process. */
async function readSample(): Promise<Sample> {
  const db = openSqlite(":memory:");
  await migrate(db);
  return openSample(db, sampleReport as unknown as StoredSample);
}

/** Makes something when it is first asked for, and tries again at the next time where that fails. */
function onDemand<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** With its version, where the program was started by npm. */
const productName = () => ["Rampe", surroundings().npm_package_version].filter(Boolean).join(" ");

const databaseFile = ({ DATABASE_URL }: Env) => path.resolve(DATABASE_URL.replace(/^file:(\/\/)?/, ""));

/**
 * Makes the data folder, before anything is to be kept in it.
 * @throws {UnusableSetting}
 */
export function makeDataFolder({ DATA_DIR }: Env): void {
  try {
    mkdirSync(DATA_DIR, { recursive: true });
  } catch (error) {
    throw new UnusableSetting(`DATA_DIR is unusable: it wants a folder (${(error as Error).message}).`);
  }
}

async function openDatabase(env: Env): Promise<Db> {
  const { DATA_DIR } = env;
  const file = databaseFile(env);
  try {
    const db = openSqlite(file);
    await migrate(db);
    return db;
  } catch (error) {
    const variable = path.dirname(file) === path.resolve(DATA_DIR) ? "DATA_DIR" : "DATABASE_URL";
    const why = (error as Error).message;
    throw new UnusableSetting(`${variable} is unusable: it wants a place for the database ${file} (${why}).`);
  }
}

/** Addresses that visitors have checked, and what these load, are nobody's business: only a debugging log names them. */
function eventLog(log: Logger) {
  return (event: string, fields: Record<string, unknown> = {}) => {
    if (fields.err) log.error(fields, event);
    else if (/^(egress|page)\./.test(event)) log.debug(fields, event);
    else log.info(fields, event);
  };
}

function addressPolicy({ SCAN_ALLOW_PRIVATE }: Env) {
  try {
    return createAddressPolicy(SCAN_ALLOW_PRIVATE);
  } catch (error) {
    throw new UnusableSetting(`SCAN_ALLOW_PRIVATE is unusable: ${(error as Error).message}.`);
  }
}
