import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import pino, { type Logger } from "pino";
import type { PaymentConnection } from "~/billing/connection";
import { loadEnvFile, processEnv, readEnv, InvalidSetting, type Env } from "~/platform/env.server";
import { storageTrouble } from "~/platform/storage-trouble";
import { createHttpApp } from "~/server/http/app.server";
import { startCashier } from "~/server/billing/cashier.server";
import { connectServiceManager, type ServiceManager } from "./service-manager.server";
import { startServices, type Services } from "~/server/services.server";
import { usesPostgres } from "~/server/storage/postgres-database.server";
import { requireWritable } from "~/server/storage/data-access.server";
import { makeDataFolder } from "~/server/storage/database.server";
import { startWarnings } from "./start-warnings.server";

/**
 * Maximum of request headers: the draft of a statement has its answers in its URL (`app/reports/statement/form.server.ts`). Node's
 * default is 16 KiB, and no browser shows its refusal.
 */
const MAX_HEADER_BYTES = 131_072;
/** Timeout against slow-request attacks: forms are not longer than a page of text. */
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
// Orchestrators usually kill a process after 10 s.
const STOP_WITHIN_MS = 9_000;

export interface ServeOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  assets: RequestHandler;
}

/**
 * Starts everything, listens, and prints a line when ready (a second one while there is no administrator). Stops on SIGTERM or SIGINT:
 * no new requests, running scans put back, database closed. Exits with 1 if it cannot start.
 */
export async function serve(options: ServeOptions): Promise<void> {
  try {
    loadEnvFile();
    const env = readEnv();
    const log = pino({ level: env.LOG_LEVEL });
    const manager = connectServiceManager(processEnv(), log);
    makeDataFolder(env);
    requireWritable(env);
    const payments = env.ROLE === "worker" ? null : await connectPayments(env, log);
    const services = await startServices(env, log, payments);
    for (const warning of startWarnings(env, services.legal.missing)) log.warn(warning);
    await listen(env, log, { services, payments, manager }, options);
  } catch (error) {
    const message = error instanceof InvalidSetting ? error.message : `Rampe could not start: ${describe(error)}`;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
}

/** @returns null if nothing is sold */
async function connectPayments(env: Env, log: Logger): Promise<PaymentConnection | null> {
  if (env.BILLING === "demo") return startCashier(env, log);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  if (env.BILLING === "off" || !secretKey) return null;
  if (!webhookSecret) log.warn("STRIPE_WEBHOOK_SECRET is missing: payments are noticed late, as no event can be believed");
  return { secretKey, webhookSecret: webhookSecret ?? null, pageOrigins: ["https://checkout.stripe.com", "https://billing.stripe.com"] };
}

interface Running {
  services: Services;
  payments: PaymentConnection | null;
  manager: ServiceManager;
}

async function listen(env: Env, log: Logger, { services, payments, manager }: Running, options: ServeOptions): Promise<void> {
  const { build, assets } = options;
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  };
  const server = createServer(limits, createHttpApp({ env, log, services, payments, build, assets }));
  stopOnSignal(log, async () => {
    void manager.stopping();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await payments?.stop?.();
    await services.stop();
    // Visitors who wait for a result must reconnect: the job is in the database.
    server.closeAllConnections();
    await closed;
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(unusableAddress(error, env)));
    server.listen(env.PORT, env.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  payments?.listening?.(`http://${hostOf(env.HOST)}:${port}`);
  const address = env.PORT === 0 ? `http://${hostOf(env.HOST)}:${port}` : env.BASE_URL;
  process.stdout.write(`Rampe is ready at ${address}\n`);
  // Leader only: the link of a second web server would replace that of the first one.
  if (services.leads()) await offerAdministration(services, address, log);
  // Only the SQLite database: a restart repairs neither a browser that does not start, nor a full disk, nor a remote database.
  manager.ready(`Ready at ${address}`, async () => (usesPostgres(env) ? undefined : services.runs.find("", null)));
}

async function offerAdministration(services: Services, address: string, log: Logger): Promise<void> {
  // Without write access, there is no new link, but existing reports stay available.
  const link = await services.firstAdministrator.newLink().catch((error: unknown) => {
    if (storageTrouble(error) === null) throw error;
    log.error({ err: error }, "the link for the first administrator could not be stored");
    return null;
  });
  if (link) process.stdout.write(`This installation has no administrator yet. Open ${address}${link} and sign in to become one.\n`);
}

function unusableAddress({ code, message }: NodeJS.ErrnoException, { HOST, PORT }: Env): Error {
  if (code === "EADDRINUSE") return new InvalidSetting(`PORT is unusable: it wants a free port, and ${PORT} is taken.`);
  if (code === "EACCES") return new InvalidSetting(`PORT is unusable: it wants a port that may be opened, not ${PORT}.`);
  return new InvalidSetting(`HOST is unusable: it wants an address of this machine, not ${HOST} (${message}).`);
}

function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    const deadline = setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, STOP_WITHIN_MS);
    stop().then(
      () => {
        clearTimeout(deadline);
        log.info("stopped");
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Host of a listen address, for a URL on this machine. */
function hostOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
