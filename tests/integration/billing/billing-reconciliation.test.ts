import { beforeEach, describe, expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES, type BillingEvent } from "~/billing/provider";
import { ProviderUnavailable } from "~/billing/billing-errors";
import { paymentWasPaid, subscriptionEntitles } from "~/billing/purchase-entitlement";
import { createUsers } from "~/accounts/user.server";
import { order, setUpBilling, type BillingSetUp } from "../../support/billing/billing";
import { repetitions } from "../../support/repetitions";
import { seeded, shuffled } from "../../support/seeded";

/** Number of random histories; the long run has more. */
const HISTORIES = repetitions(120, 500);

let db: BillingSetUp["db"];
let provider: BillingSetUp["provider"];
let purchases: BillingSetUp["purchases"];
let billing: BillingSetUp["billing"];
let ada: BillingSetUp["ada"];
let logged: BillingSetUp["logged"];
let event: BillingSetUp["event"];

beforeEach(async () => {
  ({ db, provider, purchases, billing, ada, logged, event } = await setUpBilling());
});

describe("signing in", () => {
  test("reconciles a user who was not reconciled for an hour", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    await billing.reconcile(ada.id);
    provider.pay("o1");
    await billing.reconcileAtSignIn(ada);
    expect(await purchases.of(ada.id)).toEqual([]);
    await billing.reconcileAtSignIn(ada, Date.now() + 3_600_001);
    expect((await purchases.of(ada.id))[0]?.entitles).toBe(true);
  });

  test("finds earlier purchases of the same sign-in, and asks once an hour about users without any", async () => {
    await billing.reconcileAtSignIn(ada);
    await billing.reconcileAtSignIn(ada);
    expect(provider.calls).toEqual(["findCustomer"]);
    provider.customers.set("cus_before", "auth0|ada");
    provider.payments.push({
      ...{ id: "pi_before", status: "succeeded", paidAt: Date.now(), plan: "pro", planName: "Pro", urlLimit: 5, amount: 5_000, currency: "eur" },
      ...{ createdAt: 1, urls: ["https://a.example/"], refunded: "no", disputed: false },
    });
    await billing.reconcileAtSignIn(ada, Date.now() + 3_600_001);
    expect(await purchases.covers(ada.id, "https://a.example/")).toBe(true);
  });

  test("does not ask about local accounts, and works with the provider down", async () => {
    await billing.reconcileAtSignIn({ ...ada, subject: null });
    expect(provider.calls).toEqual([]);
    await billing.startCheckout(ada, order("o1"), "de");
    provider.down = true;
    await billing.reconcileAtSignIn(ada, Date.now() + 3_600_001);
    expect(logged).toEqual(["purchases could not be compared with the provider's"]);
  });
});

describe("events", () => {
  test("a failed event is not marked as handled, and the next attempt is", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    provider.pay("o1");
    provider.down = true;
    await expect(billing.handleEvent(event("evt_1"))).rejects.toThrow(ProviderUnavailable);
    provider.down = false;
    await billing.handleEvent(event("evt_1"));
    const rows = await db.selectFrom("billing_event").select(["id", "attempts", "outcome"]).execute();
    expect(rows).toEqual([{ id: "evt_1", attempts: 2, outcome: "reconciled" }]);
    expect((await purchases.of(ada.id))[0]?.entitles).toBe(true);
  });

  test("an event that names only a payment finds its owner by it", async () => {
    await billing.startCheckout(ada, order("o1", { rhythm: "once" }), "de");
    provider.pay("o1");
    await billing.handleEvent(event("evt_1"));
    Object.assign(provider.payments[0] ?? {}, { disputed: true });
    await billing.handleEvent(event("evt_2", { customer: null, payment: "pi_o1", type: "charge.dispute.created" }));
    expect((await purchases.of(ada.id))[0]?.entitles).toBe(false);
  });

  test("an event without a known customer is acknowledged and stored", async () => {
    await billing.handleEvent(event("evt_1", { customer: "cus_unknown" }));
    await billing.handleEvent(event("evt_2", { customer: null, type: "something.new" }));
    const rows = await db.selectFrom("billing_event").select("outcome").execute();
    expect(rows.map(({ outcome }) => outcome)).toEqual(["about nobody we know", "about nobody we know"]);
    expect(provider.calls).toEqual([]);
  });

  test(`${HISTORIES} random histories, each event three times in any order, end in the provider's state`, async () => {
    await billing.startCheckout(ada, order("first"), "de");
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const random = seeded(seed);
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
      const events: BillingEvent[] = [];
      for (let step = 0; step < 6; step += 1) {
        change(pick);
        for (let copy = 0; copy < 3; copy += 1) events.push(event(`evt_${seed}_${step}`));
        // Some events arrive before the next change, and some of them at the same time.
        if (random() < 0.4) await deliver(events.splice(0, Math.ceil(random() * events.length)), random);
      }
      await deliver(events, random);
      const expected = [
        ...provider.subscriptions.map((each) => [each.id, each.status, subscriptionEntitles(each), each.urlLimit]),
        ...provider.payments.map((each) => [each.id, each.status, paymentWasPaid(each), each.urlLimit]),
      ];
      const stored = await purchases.of(ada.id);
      const known = stored.filter(({ status }) => status !== "gone");
      expect(known.map(({ id, status, entitles, urlLimit }) => [id, status, entitles, urlLimit]).sort(), `seed ${seed}`).toEqual(expected.sort());
      expect(stored.filter(({ status, entitles }) => status === "gone" && entitles)).toEqual([]);
    }
  });

  function change(pick: <Item>(items: readonly Item[]) => Item): void {
    const id = `o${provider.checkouts.size}_${provider.calls.length}`;
    const [subscription] = provider.subscriptions;
    const [payment] = provider.payments;
    pick([
      () => {
        if (subscription) Object.assign(subscription, { status: pick(SUBSCRIPTION_STATUSES), paused: pick([true, false]) });
        else provider.subscriptions.push(newSubscription(id));
      },
      () => void (subscription && Object.assign(subscription, { urlLimit: pick([1, 5]), cancelAtPeriodEnd: pick([true, false]) })),
      () => void (payment ? Object.assign(payment, { refunded: pick(["no", "partly", "fully"]), disputed: pick([true, false]) }) : provider.payments.push(newPayment(id))),
      () => void provider.subscriptions.splice(0, 1),
    ])();
  }

  /** Delivers events; a failed event is sent again, as by the provider. */
  async function deliver(events: BillingEvent[], random: () => number): Promise<void> {
    if (events.length === 0) return;
    provider.down = random() < 0.2;
    const order = shuffled(events, random);
    const attempts = await Promise.allSettled(order.map((each) => billing.handleEvent(each)));
    provider.down = false;
    await deliver(order.filter((_each, index) => attempts[index]?.status === "rejected"), random);
  }

  const bought = { plan: "pro" as const, planName: "Pro", urlLimit: 5, amount: 1, currency: "eur", createdAt: 1, urls: [] as string[] };
  const newSubscription = (id: string) => ({
    ...{ ...bought, id: `sub_${id}`, order: null, status: "active" as const, byInvoice: false, cancelAtPeriodEnd: false },
    ...{ paid: true, paused: false, periodStart: 0, periodEnd: 9 },
  });
  const newPayment = (id: string) => ({
    ...{ ...bought, id: `pi_${id}`, status: "succeeded" as const, paidAt: Date.now(), refunded: "no" as const, disputed: false },
  });
});

describe("writing URLs to the provider", () => {
  test("is retried until it succeeds", async () => {
    await billing.startCheckout(ada, order("o1"), "de");
    provider.pay("o1");
    await billing.reconcile(ada.id);
    provider.down = true;
    await billing.writeUrls();
    expect(provider.subscriptions[0]?.urls).toEqual([]);
    provider.down = false;
    await billing.writeUrls();
    expect(provider.subscriptions[0]?.urls).toEqual(["https://a.example/page"]);
    const before = provider.calls.length;
    await billing.writeUrls();
    expect(provider.calls.length).toBe(before);
  });
});

test("a customer that cannot be read does not block the reconciliation of others", async () => {
  const eve = await createUsers({ db }).recognise({ subject: "auth0|eve", email: "eve@example.org", emailVerified: true, name: "Eve" }, "de");
  for (const user of [ada, eve]) await billing.startCheckout(user, order(`o-${user.name}`), "de");
  const { purchasesOf } = provider;
  const asked: string[] = [];
  provider.purchasesOf = (customer) => {
    asked.push(customer);
    return asked.length === 1 ? Promise.reject(new ProviderUnavailable("no answer")) : purchasesOf(customer);
  };
  await expect(billing.reconcileStale()).rejects.toThrow("no answer");
  expect(asked.sort()).toEqual([`cus_${ada.id}`, `cus_${eve.id}`].sort());
});

test("users who were not reconciled for an hour are reconciled", async () => {
  await billing.startCheckout(ada, order("o1"), "de");
  await billing.reconcile(ada.id);
  provider.pay("o1");
  await billing.reconcileStale();
  expect((await purchases.of(ada.id))[0]).toBeUndefined();
  await billing.reconcileStale(Date.now() + 3_600_001);
  expect((await purchases.of(ada.id))[0]?.entitles).toBe(true);
});
