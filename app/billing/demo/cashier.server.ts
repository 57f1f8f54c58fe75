import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler, type Router } from "express";
import { startPeriodicTask, type PeriodicTask } from "~/platform/async/periodic-task";
import { createApi, type Faults } from "./api/api";
import { operationsOf } from "./api/operations";
import { tick } from "./lifecycle/scheduler";
import { createPages } from "./pages/router";
import { openStore } from "./store/store";
import { createWebhookDelivery, type Receiver } from "./webhook-delivery";

export type { Call, Faults } from "./api/api";

export interface CashierOptions {
  /** Its own SQLite file. */
  file: string;
  /** Address of its pages for browsers, such as `https://host/cashier`. */
  publicUrl: string;
  /** Receiver for events. */
  webhook: Receiver;
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
  /** Back-off after a number of failed deliveries of an event, in ms; null: no more attempts. */
  pauseAfter?: (attempts: number) => number | null;
  /** Simulated failures, for tests. */
  faults?: Faults;
}

export interface Cashier {
  /** Handler of `/v1/…`; mount it at `/` of a server that only this machine can reach. */
  api: RequestHandler;
  /** Pages; mount them at the path of `publicUrl`. */
  pages: Router;
  /** Starts the delivery of events and the scheduler. */
  start(): void;
  /** Stops everything; undelivered events stay in the file. */
  stop(): Promise<void>;
}

/**
 * A small replacement for Stripe with the same protocol (API version 2025-03-31.basil): payments work without an account
 * at Stripe. No money moves. It keeps its state in its own file; the application talks to it only by HTTP.
 */
export function createCashier(options: CashierOptions): Cashier {
  const { file, publicUrl, webhook, secretKey, now = Date.now, log, faults } = options;
  const { settlesAfterMs = 5_000, tickEveryMs = 1_000, searchDelayMs = 1_000, pauseAfter } = options;
  const store = openStore({ file, now, publicUrl });
  const delivery = createWebhookDelivery({ store, receiver: webhook, pauseAfter, log });
  let scheduler: PeriodicTask | undefined;

  return {
    api: createApi({ store, operations: operationsOf(store, searchDelayMs), secretKey, faults, log }),
    pages: createPages({ store, publicUrl, log }),
    start() {
      scheduler = startPeriodicTask({
        everyMs: tickEveryMs,
        work: async () => tick(store, settlesAfterMs),
        onError: (error) => log?.("The cashier's scheduler failed", error),
      });
      delivery.start();
    },
    async stop() {
      await scheduler?.stop();
      await delivery.stop();
      store.close();
    },
  };
}

export interface Listening {
  host: string;
  port: number;
  close(): Promise<void>;
}

/** Serves the API to the application, on a free port of loopback only. */
export async function listenCashier({ api }: Pick<Cashier, "api">): Promise<Listening> {
  const host = "127.0.0.1";
  const server = createServer(express().use(api));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
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
