import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler, type Router } from "express";
import { createApi, type Trouble } from "~/billing/demo/api/api";
import { openStore } from "~/billing/demo/store/store";
import { createCheckout } from "~/billing/demo/lifecycle/checkout";
import { createScheduler } from "~/billing/demo/lifecycle/scheduler";
import { createWebhookDelivery, type Receiver } from "./webhook-delivery";
import { operationsOf } from "~/billing/demo/api/operations";
import { createPages } from "~/billing/demo/pages/pages";
import { createSubscriptionLifecycle } from "~/billing/demo/lifecycle/subscription-lifecycle";

export type { Trouble } from "~/billing/demo/api/api";

export interface CashierOptions {
  /** Its own SQLite file. */
  file: string;
  /** Address of its pages for browsers, such as `https://host/cashier`. */
  publicUrl: string;
  /** Receiver of events; null: events are stored but not sent. */
  webhook: Receiver | null;
  /** The only API key that it accepts. */
  secretKey: string;
  /** Unix time in ms. */
  now?: () => number;
  log?: (problem: string, error: unknown) => void;
  /** Delay until a pending payment is decided, in ms. */
  settlesAfterMs?: number;
  /** Interval between two ticks of the scheduler, in ms. */
  tickEveryMs?: number;
  /** Delay until a search finds new objects, in ms. */
  searchDelayMs?: number;
  /** Back-off after so many failed deliveries of an event, in ms; null gives up. */
  pauseAfter?: (attempts: number) => number | null;
  /** For tests. */
  trouble?: Trouble;
}

export interface Cashier {
  /** Serves `/v1/…`; mount it at `/` of a server that only this machine can reach. */
  api: RequestHandler;
  /** Mount it at the path of `publicUrl`. */
  pages: Router;
  /** Starts the delivery of events and the scheduler. */
  start(): void;
  /** Afterwards nothing works any more; undelivered events stay in the file. */
  stop(): Promise<void>;
}

/**
 * A small replacement for Stripe with the same protocol (API version 2025-03-31.basil): payments work without an account
 * at Stripe. No money moves. It keeps its state in its own file; the application talks to it only by HTTP.
 */
export function createCashier(options: CashierOptions): Cashier {
  const { file, webhook, secretKey, now = Date.now, log, settlesAfterMs = 5_000, searchDelayMs = 1_000, trouble } = options;
  const publicUrl = options.publicUrl.replace(/\/$/, "");
  const store = openStore({ file, now, hasReceiver: webhook !== null });
  const life = createSubscriptionLifecycle({ store, publicUrl, settlesAfterMs });
  const checkout = createCheckout({ store, life, settlesAfterMs, publicUrl });
  const clockwork = createScheduler({ store, checkout, life, every: options.tickEveryMs, log });
  const messenger = webhook && createWebhookDelivery({ store, receiver: webhook, pauseAfter: options.pauseAfter, log });
  const operations = operationsOf({ store, life, publicUrl, settlesAfterMs, searchDelayMs });

  return {
    api: createApi({ store, operations, secretKey, trouble, log }),
    pages: createPages({ store, checkout, life, publicUrl, settlesAfterMs, log }),
    start() {
      clockwork.start();
      messenger?.start();
    },
    async stop() {
      clockwork.stop();
      await messenger?.stop();
      store.close();
    },
  };
}

export interface Listening {
  host: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Serves the API to the application, on loopback only.
 * @param port 0 takes a free one
 * @throws when the port is taken
 */
export async function listenCashier({ api }: Pick<Cashier, "api">, port = 0, host = "127.0.0.1"): Promise<Listening> {
  const server: Server = createServer(express().use(api));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
