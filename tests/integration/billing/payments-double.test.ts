import { afterEach, beforeEach, expect, test } from "vitest";
import type { PlanOrder } from "~/billing/checkout.server";
import type { User } from "~/accounts/user.server";
import type { Call, Faults } from "~/billing/demo/cashier.server";
import { GOOD_CARD, openCashier, pay, type OpenCashier } from "../../contracts/open-cashier";
import { freshLocation } from "../../support/database/database";
import { openShop, stockPlans, type Shop } from "../../support/billing/shop";

const faults: Faults = {};
let cashier: OpenCashier;
let shop: Shop;
let ada: User;

/** Set-up as in `payments-flows.test.ts`. */
beforeEach(async () => {
  const location = freshLocation();
  cashier = await openCashier({
    listener: (payload, signature) => shop.billing.handleEvent(shop.billing.readEvent(payload, signature)),
    idle: true,
    faults: { before: (call) => faults.before?.(call), after: (call) => faults.after?.(call) },
  });
  await stockPlans(cashier);
  shop = await openShop({ ...location, host: cashier.host, port: cashier.port });
  ada = await shop.customer("ada");
});

afterEach(async () => {
  delete faults.before;
  delete faults.after;
  const { problems } = cashier;
  await cashier.close();
  await shop.close();
  expect(problems).toEqual([]);
});

const order = (id: string, plan: PlanOrder["plan"], url: string): PlanOrder => ({ id, plan, rhythm: "month", url, checkId: null });

/** Opens two checkouts, then pays both; events are sent only afterwards. */
async function payTwice(): Promise<void> {
  const pages = [];
  for (const each of [order("first", "pro", "https://a.example/"), order("second", "basic", "https://b.example/")]) {
    pages.push(await shop.billing.startCheckout(ada, each, "de"));
  }
  await Promise.all(pages.map((url) => pay({ url }, GOOD_CARD)));
}

async function atProvider() {
  const { data: subscriptions } = await cashier.stripe.subscriptions.list({ status: "all" });
  const { data: intents } = await cashier.stripe.paymentIntents.list({ expand: ["data.latest_charge"] });
  const charges = intents.map(({ latest_charge: charge }) => typeof charge === "object" && charge?.refunded === true);
  return { statuses: subscriptions.map(({ status }) => status).sort(), refunded: charges.filter(Boolean).length };
}

const told = async () => (await shop.mails()).filter(({ subject }) => subject.startsWith("Doppelt bezahlt"));

test("of two monthly plans paid in two tabs at once, one stays, the other is canceled and refunded, and the buyer gets one mail", async () => {
  await payTwice();
  cashier.start();
  await expect.poll(atProvider, { timeout: 15_000 }).toEqual({ statuses: ["active", "canceled"], refunded: 1 });
  await expect.poll(async () => (await shop.purchases.of(ada.id)).filter(({ entitles }) => entitles).length).toBe(1);
  for (let round = 0; round < 3; round += 1) await shop.billing.reconcile(ada.id);
  expect(await atProvider()).toEqual({ statuses: ["active", "canceled"], refunded: 1 });
  const mails = await told();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toMatch(/Tarif Rampe (Pro|Basic) läuft weiter/);

  const outcomes = await Promise.all(["first", "second"].map(async (id) => (await shop.billing.outcomeOf(ada, id))?.outcome));
  expect(outcomes.sort()).toEqual(["given_back", "paid"]);
  const covered = [await shop.purchases.covers(ada.id, "https://a.example/"), await shop.purchases.covers(ada.id, "https://b.example/")];
  expect(covered.filter(Boolean), "what was given back has brought nothing").toHaveLength(1);
});

test("an interrupted refund continues: nothing is refunded twice, and the buyer gets one mail", async () => {
  await payTwice();
  const isPart = ({ method, path }: Call) => path === "/v1/refunds" || (method === "DELETE" && path.startsWith("/v1/subscriptions/"));
  // The package itself tries three times.
  const left = { before: 4, after: 4 };
  faults.before = (call) => (isPart(call) && (left.before -= 1) >= 0 ? { status: 500 } : undefined);
  faults.after = (call) => (isPart(call) && (left.after -= 1) >= 0 ? "reset" : undefined);
  for (let round = 0; round < 8; round += 1) await shop.billing.reconcile(ada.id).catch(() => {});
  expect(left.before, "it was interrupted").toBeLessThan(0);
  delete faults.before;
  delete faults.after;
  await shop.billing.reconcile(ada.id);
  expect(await atProvider()).toEqual({ statuses: ["active", "canceled"], refunded: 1 });
  expect(await told()).toHaveLength(1);
});

test("a refused refund does not block the other plan, and is retried until it succeeds", async () => {
  await payTwice();
  faults.before = ({ path }) => (path === "/v1/refunds" ? { status: 403 } : undefined);
  for (let round = 0; round < 2; round += 1) await shop.billing.reconcile(ada.id);
  expect((await shop.purchases.of(ada.id)).some(({ entitles }) => entitles)).toBe(true);
  const covered = [await shop.purchases.covers(ada.id, "https://a.example/"), await shop.purchases.covers(ada.id, "https://b.example/")];
  expect(covered.filter(Boolean)).toHaveLength(1);
  expect(await atProvider()).toEqual({ statuses: ["active", "active"], refunded: 0 });
  delete faults.before;
  await shop.billing.reconcile(ada.id);
  expect(await atProvider()).toEqual({ statuses: ["active", "canceled"], refunded: 1 });
  expect(await told()).toHaveLength(1);
});

test("the plan that was already delivered stays", async () => {
  const [first, second] = [order("first", "basic", "https://a.example/"), order("second", "pro", "https://b.example/")];
  const pages = [await shop.billing.startCheckout(ada, first, "de"), await shop.billing.startCheckout(ada, second, "de")];
  await pay({ url: pages[1] ?? null }, GOOD_CARD);
  await shop.db.updateTable("checkout_order").set({ fulfilled_at: Date.now() }).where("id", "=", "second").execute();
  await pay({ url: pages[0] ?? null }, GOOD_CARD);
  await shop.billing.reconcile(ada.id);
  expect((await shop.purchases.of(ada.id)).filter(({ entitles }) => entitles)).toMatchObject([{ plan: "pro" }]);
});

test("two subscriptions made by sales both stay", async () => {
  const customer = await shop.billing.startCheckout(ada, order("none", "pro", "https://a.example/"), "de").then(
    async () => (await cashier.stripe.customers.list()).data[0]?.id ?? "",
  );
  const { id: price } = await cashier.stripe.prices.create({ product: "rampe_enterprise", currency: "eur", unit_amount: 90_000, recurring: { interval: "month" } });
  for (let count = 0; count < 2; count += 1) {
    await cashier.stripe.subscriptions.create({ customer, items: [{ price }], collection_method: "send_invoice", days_until_due: 30 });
  }
  await shop.billing.reconcile(ada.id);
  expect((await atProvider()).statuses).toEqual(["active", "active"]);
  expect(await told()).toEqual([]);
});
