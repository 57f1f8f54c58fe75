import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import pino, { type Logger } from "pino";
import { loadEnvFile, readEnv, UnusableSetting, type Env } from "./env.server";
import { createHttpApp } from "./http.server";
import { startServices, type Services } from "./services.server";

// An orchestrator's usual patience is 10 s before it kills.
const STOP_WITHIN_MS = 9_000;

export interface ServeOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  assets: RequestHandler;
}

/**
 * Starts everything, listens, says so in one line, and stops on SIGTERM or SIGINT: no new requests, running scans
 * handed back, database closed. Ends the process with 1 when it cannot start.
 */
export async function serve({ build, assets }: ServeOptions): Promise<void> {
  try {
    loadEnvFile();
    const env = readEnv();
    const log = pino({ level: env.LOG_LEVEL });
    if (!env.OPERATOR_NAME || !env.OPERATOR_ADDRESS || !env.OPERATOR_EMAIL) {
      log.warn("OPERATOR_NAME, OPERATOR_ADDRESS or OPERATOR_EMAIL is missing: imprint and privacy pages are incomplete");
    }
    const services = await startServices(env, log);
    await listen(env, log, services, { build, assets });
  } catch (error) {
    const message = error instanceof UnusableSetting ? error.message : `Rampe could not start: ${describe(error)}`;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
}

async function listen(env: Env, log: Logger, services: Services, { build, assets }: ServeOptions): Promise<void> {
  const server = createServer(createHttpApp({ env, log, services, build, assets }));
  stopOnSignal(log, async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await services.stop();
    // Whoever still waits for a result is asked to come back: the job is in the database.
    server.closeAllConnections();
    await closed;
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(unusableAddress(error, env)));
    server.listen(env.PORT, env.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const address = env.PORT === 0 ? `http://${env.HOST}:${port}` : env.BASE_URL;
  process.stdout.write(`Rampe is ready at ${address}\n`);
}

function unusableAddress({ code, message }: NodeJS.ErrnoException, { HOST, PORT }: Env): Error {
  if (code === "EADDRINUSE") return new UnusableSetting(`PORT is unusable: it wants a free port, and ${PORT} is taken.`);
  if (code === "EACCES") return new UnusableSetting(`PORT is unusable: it wants a port that may be opened, not ${PORT}.`);
  return new UnusableSetting(`HOST is unusable: it wants an address of this machine, not ${HOST} (${message}).`);
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
