import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ProviderUnavailable } from "~/billing/billing-errors";
import type { PlanOrder, Way } from "~/billing/checkout.server";
import type { User } from "~/accounts/user.server";
import type { Faults } from "~/billing/demo/cashier.server";
import { openCashier, pay, post, GOOD_CARD, type OpenCashier } from "../../contracts/open-cashier";
import { buildProgram, type BuiltProgram } from "../../support/servers/build-program";
import { freshLocation } from "../../support/database/database";
import type { DatabaseLocation } from "../../support/database/server-database";
import { openShop, stockPlans, type Shop } from "../../support/billing/shop";

const faults: Faults = {};
let cashier: OpenCashier;
let shop: Shop;
let database: DatabaseLocation;
let orders = 0;
let program: BuiltProgram;
/** Next process to be killed; it starts while the previous one is busy. */
let waiting: ChildProcessByStdio<Writable, null, null> | undefined;

beforeAll(async () => void (program = await buildProgram(new URL("../../support/billing/killed-shop.ts", import.meta.url))));
afterAll(() => program.remove());

/** No automatic delivery: the test makes each request. */
beforeEach(async () => {
  database = freshLocation();
  cashier = await openCashier({
    idle: true,
    faults: { before: (call) => faults.before?.(call), after: (call) => faults.after?.(call) },
  });
  await stockPlans(cashier);
  shop = await openShop({ ...database, ...cashier });
});

afterEach(async () => {
  Object.assign(faults, { before: undefined, after: undefined });
  waiting?.kill("SIGKILL");
  waiting = undefined;
  const { problems } = cashier;
  await cashier.close();
  await shop.close();
  expect(problems).toEqual([]);
});

const newOrder = (): PlanOrder => ({ id: `order-${(orders += 1)}`, plan: "basic", rhythm: "once", url: "https://a.example/", checkId: null });

function place(way: Way, { billing }: Shop, buyer: User, order: PlanOrder): Promise<unknown> {
  if (way === "checkout") return billing.startCheckout(buyer, order, "de");
  return way === "link" ? billing.mailLink(buyer, order, "de") : billing.sendInvoice(buyer, order, "de");
}

/** Number of objects by kind at the provider, for all customers. */
async function counts(): Promise<{ sessions: number; customers: number; invoices: number }> {
  const { checkout, customers, invoices } = cashier.stripe;
  const all = { limit: 100 };
  const [sessions, people, bills] = await Promise.all([checkout.sessions.list(all), customers.list(all), invoices.list(all)]);
  return { sessions: sessions.data.length, customers: people.data.length, invoices: bills.data.length };
}

const WAYS: Way[] = ["checkout", "link", "invoice"];

test.each(WAYS)("a lost answer at any call is requested again: one order by %s", async (way) => {
  const seen = new Set<string>();
  faults.after = ({ method, path }) => {
    const call = `${method} ${path}`;
    if (seen.has(call)) return;
    seen.add(call);
    return "reset";
  };
  await place(way, shop, await shop.customer("ada"), newOrder());
  faults.after = undefined;
  const isInvoice = way === "invoice";
  expect(await counts()).toEqual({ sessions: isInvoice ? 0 : 1, customers: 1, invoices: isInvoice ? 1 : 0 });
  expect(await shop.mails()).toHaveLength(way === "checkout" ? 0 : 1);
});

test("a late answer is requested again with the same key: one checkout", async () => {
  const impatient = await openShop({ ...freshLocation(), host: cashier.host, port: cashier.port, timeoutMs: 400 });
  const keys: (string | null)[] = [];
  faults.after = ({ method, path, idempotencyKey }) => {
    if (method !== "POST" || path !== "/v1/checkout/sessions") return;
    keys.push(idempotencyKey);
    return keys.length === 1 ? new Promise((resolve) => setTimeout(resolve, 1_000)) : undefined;
  };
  await place("checkout", impatient, await impatient.customer("eve"), newOrder());
  expect([keys.length, new Set(keys).size, (await counts()).sessions]).toEqual([2, 1, 1]);
  await impatient.close();
});

test.each(WAYS)("a provider that fails at any call is reported, and the same order by %s completes afterwards", async (way) => {
  let calls = 0;
  faults.before = () => void (calls += 1);
  await place(way, shop, await shop.customer("first"), newOrder());
  const steps = calls;
  for (let step = 0; step < steps; step += 1) {
    calls = 0;
    // Status without an automatic retry, to save its pauses.
    faults.before = () => ((calls += 1) > step ? { status: 402 } : undefined);
    const [buyer, order] = [await shop.customer(`buyer${step}`), newOrder()];
    const outcome = await place(way, shop, buyer, order).catch((error: unknown) => error);
    // No error is possible too: prices are already known, and the next reconciliation sends a created invoice.
    if (outcome instanceof Error) expect(outcome, `step ${step}`).toBeInstanceOf(ProviderUnavailable);
    faults.before = undefined;
    await place(way, shop, buyer, order);
    await shop.billing.reconcile(buyer.id);
    const mails = (await shop.mails()).filter(({ to }) => to === buyer.email);
    expect(mails, `step ${step}`).toHaveLength(way === "checkout" ? 0 : 1);
  }
  const { sessions, customers, invoices } = await counts();
  expect([way === "invoice" ? invoices : sessions, customers]).toEqual([steps + 1, steps + 1]);
});

test("deleting an account waits if the provider fails at any cancellation, and the next attempt completes it", async () => {
  for (let step = 0, isDone = false; !isDone; step += 1) {
    const buyer = await shop.customer(`buyer${step}`);
    await place("checkout", shop, buyer, newOrder());
    await place("invoice", shop, buyer, { ...newOrder(), rhythm: "month" });
    let calls = 0;
    faults.before = () => ((calls += 1) > step ? { status: 402 } : undefined);
    isDone = (await shop.billing.cancelForAccountDeletion(buyer.id)) === null;
    expect(isDone, `step ${step}`).toBe(calls <= step);
    faults.before = undefined;
    expect(await shop.billing.cancelForAccountDeletion(buyer.id), `step ${step}`).toBeNull();
  }
  const { checkout, invoices, subscriptions } = cashier.stripe;
  const open = { status: "open", limit: 100 } as const;
  const left = await Promise.all([checkout.sessions.list(open), invoices.list(open), subscriptions.list()]);
  expect(left.map(({ data }) => data)).toEqual([[], [], []]);
});

/** Moment of a kill: before the nth call, or after the provider has executed it. */
interface Moment {
  call: number;
  when: "before" | "after";
}

/** All moments between two calls. Reads change nothing, so the time after a read is no separate moment. */
async function momentsOf(work: (shop: Shop) => Promise<unknown>): Promise<Moment[]> {
  const methods: string[] = [];
  faults.before = ({ method }) => void methods.push(method);
  const another = await openShop({ ...database, ...cashier });
  await work(another);
  await another.close();
  faults.before = undefined;
  return methods.flatMap((method, index) => {
    const call = index + 1;
    return [{ call, when: "before" as const }, ...(method === "POST" ? [{ call, when: "after" as const }] : [])];
  });
}

/** Starts a job in another process, and kills it at this moment. */
async function kill(job: object, { call, when }: Moment): Promise<void> {
  const { host, port } = cashier;
  const child = waiting ?? startWaiting();
  waiting = startWaiting();
  let calls = 0;
  const at = (moment: Moment["when"]) => () => {
    if (moment === "before") calls += 1;
    if (calls !== call || moment !== when) return;
    child.kill("SIGKILL");
    return "reset" as const;
  };
  Object.assign(faults, { before: at("before"), after: at("after") });
  child.stdin.end(JSON.stringify({ ...database, host, port, ...job }));
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  Object.assign(faults, { before: undefined, after: undefined });
  expect(signal, `${when} call ${call}`).toBe("SIGKILL");
}

function startWaiting() {
  return spawn(process.execPath, [program.file], { stdio: ["pipe", "ignore", "inherit"] });
}

// A link is sent after its checkout exists, so its calls include those of a checkout order.
test.each(["link", "invoice"] as const)("a kill at any call of an order by %s loses and duplicates nothing", async (way) => {
  const moments = await momentsOf(async (another) => place(way, another, await another.customer("first"), newOrder()));
  expect(moments.length).toBeGreaterThan(6);
  for (const moment of moments) {
    const [name, order] = [`buyer${moment.call}${moment.when}`, newOrder()];
    await kill({ what: way, name, order }, moment);
    // Users without an answer send the form again.
    const buyer = await shop.customer(name);
    await place(way, shop, buyer, order);
    await shop.billing.reconcile(buyer.id);
    expect((await shop.mails()).filter(({ to }) => to === buyer.email), name).toHaveLength(1);
  }
  const { sessions, customers, invoices } = await counts();
  expect([way === "invoice" ? invoices : sessions, customers]).toEqual([moments.length + 1, moments.length + 1]);
});

test("a kill at any call during an event does not lose it: it is handled when it is sent again", async () => {
  const bought = async (name: string) => {
    const buyer = await shop.customer(name);
    await pay({ url: await shop.billing.startCheckout(buyer, newOrder(), "de") });
    const type = "checkout.session.completed";
    const { data: [told] } = await cashier.stripe.events.list({ type, limit: 1 });
    if (!told) throw new Error("There is no event.");
    const { customer } = told.data.object as { customer: string };
    return { buyer, event: { id: told.id, type, createdAt: 0, customer, payment: null } };
  };
  const first = await bought("first");
  const moments = await momentsOf((another) => another.billing.handleEvent(first.event));
  expect(moments.length).toBeGreaterThan(4);
  for (const moment of moments) {
    const { buyer, event } = await bought(`buyer${moment.call}`);
    await kill({ what: "event", event }, moment);
    await Promise.all([1, 2, 3].map(() => shop.billing.handleEvent(event)));
    expect(await shop.purchases.of(buyer.id), buyer.name).toMatchObject([{ entitles: true, urls: [{ origin: "https://a.example" }] }]);
  }
});

test("a paid invoice without an event is found by the next reconciliation", async () => {
  const buyer = await shop.customer("ada");
  await place("invoice", shop, buyer, newOrder());
  const [invoice] = await shop.billing.openInvoices(buyer.id);
  await post(invoice?.url ?? "", { do: "pay", ...GOOD_CARD });
  await shop.billing.reconcileStale(Date.now() + 3_600_001);
  expect(await shop.purchases.covers(buyer.id, "https://a.example/")).toBe(true);
});
