import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { signatureOf } from "~/billing/demo/webhook-delivery";
import { openCashier, type OpenCashier, WEBHOOK_SECRET } from "../../contracts/open-cashier";

let folder: string;
let file: string;
let cashier: OpenCashier | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rampe-webhooks-"));
  file = path.join(folder, "cashier.sqlite");
});

afterEach(async () => {
  const problems = cashier?.problems ?? [];
  await cashier?.close();
  cashier = undefined;
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test("the signature is one that the package accepts, for 300 s", () => {
  const { webhooks } = new Stripe("sk_test_x");
  const now = Math.floor(Date.now() / 1000);
  const sign = (time: number) => signatureOf('{"id":"evt_1"}', WEBHOOK_SECRET, time);
  expect(webhooks.constructEvent('{"id":"evt_1"}', sign(now - 299), WEBHOOK_SECRET)).toMatchObject({ id: "evt_1" });
  expect(() => webhooks.constructEvent('{"id":"evt_1"}', sign(now - 310), WEBHOOK_SECRET)).toThrow();
  expect(() => webhooks.constructEvent('{"id":"evt_2"}', sign(now), WEBHOOK_SECRET)).toThrow();
  expect(() => webhooks.constructEvent('{"id":"evt_1"}', sign(now), "whsec_other")).toThrow();
});

test("an event that the receiver fails at comes again until it is taken, and then no more", async () => {
  cashier = await openCashier({ file });
  cashier.receiver.status = 500;
  await cashier.stripe.customers.create({ name: "Ada" });
  await expect.poll(() => cashier!.receiver.attempts).toBeGreaterThan(2);
  expect(cashier.events).toEqual([]);
  cashier.receiver.status = 200;
  await cashier.event("customer.created");
  const { attempts } = cashier.receiver;
  await delay(150);
  expect(cashier.receiver.attempts).toBe(attempts);
  expect(cashier.events).toHaveLength(1);
});

test("pauses grow, and end after some days", async () => {
  const asked: number[] = [];
  cashier = await openCashier({
    file,
    pauseAfter(attempts) {
      asked.push(attempts);
      return attempts < 4 ? attempts * 10 : null;
    },
  });
  cashier.receiver.status = 500;
  await cashier.stripe.customers.create({ name: "Ada" });
  await expect.poll(() => asked).toEqual([1, 2, 3, 4]);
  await delay(150);
  expect(cashier.receiver.attempts).toBe(4);
  expect((await cashier.stripe.events.list()).data).toHaveLength(1);
});

test("what was not delivered before a stop is delivered after the next start", async () => {
  const first = await openCashier({ file, idle: true });
  await first.stripe.customers.create({ name: "Ada" });
  await first.stripe.customers.create({ name: "Bob" });
  expect(first.receiver.attempts).toBe(0);
  await first.close();
  cashier = await openCashier({ file });
  await expect.poll(() => cashier!.events.map(({ data }) => (data.object as Stripe.Customer).name)).toEqual(["Ada", "Bob"]);
});

test("a kill before an answer goes out loses nothing and doubles nothing", async () => {
  // Kills itself by SIGKILL while it creates customers with idempotency keys.
  const program = path.resolve("tests/contracts/killed-cashier.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program, file], { stdio: ["ignore", "pipe", "inherit"] });
  let answered = "";
  child.stdout.on("data", (text: Buffer) => (answered += text.toString()));
  const [, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (code, by) => resolve([code, by]));
  });
  expect(signal).toBe("SIGKILL");
  cashier = await openCashier({ file });
  const { data } = await cashier.stripe.customers.list({ limit: 100 });
  await expect.poll(() => cashier!.events.length).toBe(data.length);
  const names = data.map(({ name }) => name);
  const told = answered.trim().split("\n");
  expect(told.length).toBeGreaterThan(3);
  expect(told.filter((name) => !names.includes(name))).toEqual([]);
  const last = `${told.length}`;
  // In both cases, the same key creates the last one only once.
  await cashier.stripe.customers.create({ name: last }, { idempotencyKey: `key-${last}` });
  await cashier.stripe.customers.create({ name: last }, { idempotencyKey: `key-${last}` });
  const { data: after } = await cashier.stripe.customers.list({ limit: 100 });
  expect(after.filter(({ name }) => name === last)).toHaveLength(1);
});
