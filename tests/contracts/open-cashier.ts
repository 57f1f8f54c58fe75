import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import express from "express";
import Stripe from "stripe";
import { createCashier, listenCashier, type CashierOptions } from "~/billing/demo/cashier.server";
import { openStripeContract, watchContract } from "./stripe-contract";

export const SECRET_KEY = "sk_test_cashier_0123456789abcdef";
export const WEBHOOK_SECRET = "whsec_cashier";

/** Cashier with the views of the application and of browsers, and a receiver of events. */
export interface OpenCashier {
  stripe: Stripe;
  host: string;
  port: number;
  /** Address of its pages. */
  publicUrl: string;
  /** Verified events in the order of arrival. */
  events: Stripe.Event[];
  /** Differences from Stripe's document. */
  problems: string[];
  receiver: { status: number; attempts: number };
  /** Starts the delivery of events and the scheduler, if it was opened idle. */
  start(): void;
  /** Moves the cashier's clock. */
  pass(ms: number): void;
  now(): number;
  /** Waits for an event. @throws after 5 s without it */
  event<Type extends Stripe.Event["type"]>(type: Type): Promise<Extract<Stripe.Event, { type: Type }>>;
  close(): Promise<void>;
}

export interface OpenOptions extends Partial<CashierOptions> {
  /** File of an earlier cashier, with its events. */
  file?: string;
  /** Whether deliveries wait for `start`. */
  idle?: boolean;
  /** Further receiver of unchanged events; its errors are answered with 500. */
  listener?(payload: string, signature: string): Promise<void>;
}

export async function openCashier(options: OpenOptions = {}): Promise<OpenCashier> {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-cashier-"));
  const problems: string[] = [];
  const events: Stripe.Event[] = [];
  const receiver = { status: 200, attempts: 0 };
  const contract = openStripeContract();
  const verifier = new Stripe(SECRET_KEY);

  const shop = express();
  shop.post("/webhooks/stripe", express.raw({ type: () => true, limit: "1mb" }), async (request, response) => {
    receiver.attempts += 1;
    const signature = request.get("Stripe-Signature") ?? "";
    const body = request.body as Buffer;
    const event = verifier.webhooks.constructEvent(body, signature, WEBHOOK_SECRET);
    problems.push(...contract.event(event));
    const isTaken = await options.listener?.(body.toString(), signature).then(() => true, () => false);
    const status = isTaken === false ? 500 : receiver.status;
    if (status === 200) events.push(event);
    response.status(status).end();
  });
  const shopServer = createServer(shop);
  await new Promise<void>((resolve) => shopServer.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(shopServer.address() as AddressInfo).port}`;
  const publicUrl = `${origin}/cashier`;

  let ahead = 0;
  const now = options.now ?? (() => Date.now() + ahead);
  const cashier = createCashier({
    file: path.join(folder, "cashier.sqlite"),
    publicUrl,
    webhook: { url: `${origin}/webhooks/stripe`, secret: WEBHOOK_SECRET },
    secretKey: SECRET_KEY,
    searchDelayMs: 0,
    settlesAfterMs: 200,
    tickEveryMs: 50,
    pauseAfter: () => 30,
    log: (problem, error) => problems.push(`${problem}: ${String(error)}`),
    ...options,
    now,
  });
  shop.use("/cashier", cashier.pages);
  const watched = express().use(watchContract(problems, contract), cashier.api);
  const listening = await listenCashier({ api: watched });
  if (!options.idle) cashier.start();
  const { host, port } = listening;
  const stripe = new Stripe(SECRET_KEY, {
    apiVersion: "2025-03-31.basil",
    host,
    port,
    protocol: "http",
    maxNetworkRetries: 2,
    timeout: 80_000,
    telemetry: false,
  });

  return {
    stripe,
    host,
    port,
    publicUrl,
    events,
    problems,
    receiver,
    now,
    start: () => cashier.start(),
    pass: (ms) => (ahead += ms),
    async event<Type extends Stripe.Event["type"]>(type: Type) {
      for (const end = Date.now() + 5_000; Date.now() < end; await delay(10)) {
        const event = events.find((each) => each.type === type);
        if (event) return event as Extract<Stripe.Event, { type: Type }>;
      }
      throw new Error(`No ${type} came, but ${events.map(({ type }) => type).join(", ")}`);
    },
    async close() {
      await cashier.stop();
      await listening.close();
      shopServer.closeAllConnections();
      await new Promise((resolve) => shopServer.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Creates the catalogue of a shop: Basic and Pro, monthly and once. */
export async function stockShop(stripe: Stripe) {
  const product = async (name: string, urls: string) => stripe.products.create({ id: name.toLowerCase(), name, metadata: { urls } });
  const price = (of: Stripe.Product, euros: number, monthly: boolean) =>
    stripe.prices.create({
      product: of.id,
      currency: "eur",
      unit_amount: euros * 100,
      currency_options: { usd: { unit_amount: euros * 110 } },
      lookup_key: `${of.name.toLowerCase()}_${monthly ? "monthly" : "once"}`,
      ...(monthly ? { recurring: { interval: "month" as const } } : {}),
    });
  const basic = await product("Basic", "1");
  const pro = await product("Pro", "5");
  return {
    basic,
    pro,
    basicMonthly: await price(basic, 15, true),
    proMonthly: await price(pro, 40, true),
    basicOnce: await price(basic, 20, false),
    proOnce: await price(pro, 50, false),
  };
}

export const GOOD_CARD = { number: "4242 4242 4242 4242", expiry: "12 / 34", cvc: "123" };

/** Posts a form like a browser without scripts, but does not follow redirects. */
export function post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual", headers });
}

/** Id of an object that is not expanded. */
export function idOf(reference: string | { id: string } | null): string {
  if (typeof reference !== "string") throw new Error("it has no name, or is expanded");
  return reference;
}

/** Pays with a card. */
export const pay = (session: { url: string | null }, card: Record<string, string> = GOOD_CARD) =>
  post(session.url ?? "", { do: "pay", ...card });
