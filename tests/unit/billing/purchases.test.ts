import type Stripe from "stripe";
import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import type { ProviderPayment, ProviderSubscription, SubscriptionStatus } from "~/billing/provider";
import { decisiveIntent } from "~/billing/stripe/references";
import { endOfDay } from "~/platform/i18n/calendar-date";
import { createSubscriptions } from "~/billing/subscription.server";
import { grantPlan, takePlanBack, type Grant } from "~/billing/granted-plan.server";
import { createEntitlements } from "~/billing/entitlement.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import { payment, subscription } from "../../support/billing/bought";
import { freshDatabase } from "../../support/database/database";

const DAY_MS = 86_400_000;
let db: Db;
let purchases: PurchaseModel;

beforeEach(async () => {
  db = await freshDatabase();
  purchases = createPurchases({ db });
  const person = { email_key: "", name: "Ada", password: null, locale: "de" as const, created_at: 0 };
  for (const id of ["ada", "eve"]) await db.insertInto("user").values({ id, subject: id, email: id, ...person }).execute();
});

const store = (subscriptions: ProviderSubscription[], payments: ProviderPayment[] = []) =>
  purchases.store("ada", { subscriptions, payments });
const isEntitled = () => createEntitlements({ db, open: false }).isEntitled("ada");
const url = (name: string | number) => `https://${name}.example/page`;

test("of several attempts to pay an invoice, one counts: a successful one, else a pending one, else the last", () => {
  const attempt = (id: string, status: string) => ({ id, status }) as Stripe.PaymentIntent;
  const payments = { data: ["pi_1", "pi_2", "pi_3"].map((id) => ({ payment: { payment_intent: id } })) };
  const invoice = { payments } as unknown as Stripe.Invoice;
  const chosen = (...intents: Stripe.PaymentIntent[]) => decisiveIntent(invoice, intents)?.id;
  const [failed, underWay, paid] = [attempt("pi_3", "canceled"), attempt("pi_2", "processing"), attempt("pi_1", "succeeded")];
  expect(chosen(attempt("pi_9", "succeeded"), failed, underWay, paid)).toBe("pi_1");
  expect(chosen(failed, underWay)).toBe("pi_2");
  expect(chosen(failed, attempt("pi_2", "requires_payment_method"))).toBe("pi_3");
  expect(decisiveIntent(invoice, [])).toBeNull();
});

describe("access", () => {
  test.each<[SubscriptionStatus, boolean]>([
    ["active", true],
    ["trialing", true],
    ["past_due", true],
    ["unpaid", false],
    ["canceled", false],
    ["incomplete", false],
    ["incomplete_expired", false],
    ["paused", false],
  ])("a subscription that is %s: %s", async (status, granted) => {
    await store([subscription({ status })]);
    expect(await isEntitled()).toBe(granted);
  });

  test("a subscription that ends with its period gives access until then; one that is not charged gives none", async () => {
    await store([subscription({ cancelAtPeriodEnd: true })]);
    expect(await isEntitled()).toBe(true);
    await store([subscription({ paused: true })]);
    expect(await isEntitled()).toBe(false);
  });

  test.each<[string, Partial<ProviderSubscription>, boolean]>([
    ["whose first invoice is open", { paid: false }, false],
    ["that is paid", {}, true],
    ["that was paid, with the next invoice not yet due", { status: "active" }, true],
    ["that was paid, with the next invoice overdue", { status: "past_due" }, false],
    ["that is paid, but currently not charged", { paused: true }, false],
  ])("a subscription by invoice %s", async (_what, state, granted) => {
    await store([subscription({ byInvoice: true, ...state })]);
    expect(await isEntitled()).toBe(granted);
  });

  test.each<[string, Partial<ProviderPayment>, boolean]>([
    ["that succeeded", {}, true],
    ["that was refunded in part", { refunded: "partly" }, true],
    ["that was refunded", { refunded: "fully" }, false],
    ["that is disputed", { disputed: true }, false],
    ["that is pending", { status: "pending" }, false],
    ["that failed", { status: "failed" }, false],
  ])("a payment %s", async (_what, state, granted) => {
    await store([], [payment(state)]);
    expect(await isEntitled()).toBe(granted);
  });

  test("a payment that failed and was then made gives access", async () => {
    await store([], [payment({ id: "pi_1", status: "pending", paidAt: null })]);
    await store([]);
    expect(await isEntitled()).toBe(false);
    await store([], [payment({ id: "pi_1", status: "succeeded", paidAt: Date.now() })]);
    expect(await isEntitled()).toBe(true);
  });

  test("a purchase unknown to the provider gives none, and other users' purchases do not matter", async () => {
    await store([subscription()]);
    await purchases.store("eve", { subscriptions: [subscription({ id: "sub_2" })], payments: [] });
    await store([]);
    expect(await isEntitled()).toBe(false);
    expect((await purchases.of("eve"))[0]?.entitles).toBe(true);
  });
});

describe("registering a URL", () => {
  test("counts by scheme and host; a second page of the same site is the same URL", async () => {
    await store([subscription()]);
    expect(await purchases.register("ada", "https://a.example/one")).toBe("added");
    expect(await purchases.register("ada", "https://a.example/two?x=1")).toBe("present");
    expect(await purchases.register("ada", "http://a.example/")).toBe("added");
    expect(await purchases.covers("ada", "https://a.example/three")).toBe(true);
    expect(await purchases.covers("ada", "https://b.example/")).toBe(false);
    expect(await purchases.covers("eve", "https://a.example/")).toBe(false);
  });

  test("fifty simultaneous ones at a limit of five register exactly five", async () => {
    await store([subscription()]);
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => purchases.register("ada", url(index))));
    expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(45);
    expect((await purchases.of("ada"))[0]?.urls).toHaveLength(5);
  });

  test("uses a subscription first, and if that is full, the oldest payment with room", async () => {
    await store([subscription({ urlLimit: 1, createdAt: 9_000 })], [payment(), payment({ id: "pi_2", createdAt: 3_000 })]);
    for (const name of ["a", "b", "c"]) expect(await purchases.register("ada", url(name))).toBe("added");
    expect(await purchases.register("ada", url("d"))).toBe("full");
    const of = Object.fromEntries((await purchases.of("ada")).map(({ id, urls }) => [id, urls.map(({ origin }) => origin)]));
    expect(of).toEqual({ sub_1: ["https://a.example"], pi_1: ["https://b.example"], pi_2: ["https://c.example"] });
  });

  test("that is covered changes nothing, unless more is requested: then the largest purchase with room takes it too", async () => {
    const basic = payment({ plan: "basic", urlLimit: 1 });
    const pro = payment({ id: "pi_2", plan: "pro", urlLimit: 1, createdAt: 3_000 });
    const enterprise = subscription({ plan: "enterprise", urlLimit: 1, createdAt: 4_000 });
    await store([], [basic]);
    expect(await purchases.register("ada", url("a"))).toBe("added");
    expect(await purchases.register("ada", url("a"), { more: true })).toBe("present");
    await store([enterprise], [basic, pro]);
    expect(await purchases.register("ada", url("a"))).toBe("present");
    expect(await purchases.register("ada", url("a"), { more: true })).toBe("added");
    expect(await purchases.register("ada", url("a"), { more: true })).toBe("present");
    const of = Object.fromEntries((await purchases.of("ada")).map(({ id, urls }) => [id, urls.length]));
    expect(of).toEqual({ sub_1: 1, pi_1: 1, pi_2: 0 });
  });

  test("that a payment covers is also registered with a subscription to the same plan, which does not end", async () => {
    const once = payment({ plan: "pro", urlLimit: 1 });
    await store([], [once]);
    await purchases.register("ada", url("a"));
    await store([subscription({ plan: "pro", urlLimit: 5 })], [once]);
    expect(await purchases.register("ada", url("a"), { more: true })).toBe("added");
    await store([], [once, payment({ id: "pi_2", plan: "pro", urlLimit: 1 })]);
    expect(await purchases.register("ada", url("a"), { more: true })).toBe("present");
  });

  test("does not use purchases without access", async () => {
    await store([subscription({ status: "canceled" })], [payment({ refunded: "fully" })]);
    expect(await purchases.register("ada", url("a"))).toBe("full");
  });

  test("with a smaller plan, those registered first stay covered", async () => {
    await store([subscription()]);
    for (const name of ["a", "b", "c"]) await purchases.register("ada", url(name), { now: 1 });
    await store([subscription({ urlLimit: 1, planName: "Rampe Basic" })]);
    expect((await purchases.of("ada"))[0]?.urls.map(({ covered }) => covered)).toEqual([true, false, false]);
    expect([await purchases.covers("ada", url("a")), await purchases.covers("ada", url("b"))]).toEqual([true, false]);
    expect(await purchases.register("ada", url("d"))).toBe("full");
  });
});

describe("removing a URL", () => {
  const idOf = async (name: string) =>
    (await purchases.of("ada")).flatMap(({ urls }) => urls).find(({ origin }) => origin === `https://${name}.example`)?.id ?? 0;

  test("is possible once in a period", async () => {
    await store([subscription()]);
    for (const name of ["a", "b"]) await purchases.register("ada", url(name));
    expect(await purchases.remove("ada", await idOf("a"), DAY_MS)).toBe("removed");
    expect(await purchases.remove("ada", await idOf("b"), 2 * DAY_MS)).toBe("too_soon");
    await store([subscription({ periodStart: 30 * DAY_MS, periodEnd: 60 * DAY_MS })]);
    expect(await purchases.remove("ada", await idOf("b"), 31 * DAY_MS)).toBe("removed");
    expect(await purchases.register("ada", url("a"))).toBe("added");
  });

  test("is not possible for a one-time payment, or for another user", async () => {
    await store([], [payment()]);
    await purchases.register("ada", url("a"));
    expect(await purchases.remove("ada", await idOf("a"))).toBe("not_transferable");
    expect(await purchases.remove("eve", await idOf("a"))).toBe("unknown");
  });
});

describe("updates of the provider", () => {
  test("include every change, and are repeated if another change came meanwhile", async () => {
    await store([subscription()]);
    expect(await purchases.unwritten()).toEqual([]);
    await purchases.register("ada", url("a"));
    const [first] = await purchases.unwritten();
    expect(first).toMatchObject({ id: "sub_1", kind: "subscription", urls: [url("a")] });
    await purchases.register("ada", url("b"));
    await purchases.written("sub_1", first?.version ?? 0);
    const [second] = await purchases.unwritten();
    expect(second?.urls).toEqual([url("a"), url("b")]);
    await purchases.written("sub_1", second?.version ?? 0);
    expect(await purchases.unwritten()).toEqual([]);
  });

  test("the provider's list is used if our own is lost, and only then", async () => {
    await store([subscription({ urls: [url("a"), url("b"), "no address"] })]);
    expect((await purchases.of("ada"))[0]?.urls.map((each) => each.url)).toEqual([url("a"), url("b")]);
    await store([subscription({ urls: [url("c")] })]);
    expect((await purchases.of("ada"))[0]?.urls.map((each) => each.url)).toEqual([url("a"), url("b")]);
  });
});

test("who has used a trial scan keeps its results, also when trials are no longer offered", async () => {
  const { isEntitled: mayScan, wasEntitled } = createEntitlements({ db, open: false });
  await db.updateTable("user").set({ trial_scans: 1 }).where("id", "=", "ada").execute();
  expect([await mayScan("ada"), await wasEntitled("ada"), await wasEntitled("eve")]).toEqual([false, true, false]);
});

describe("a plan that is granted without payment", () => {
  const grant = (more: Partial<Grant> = {}) => db.transaction().execute((trx) => grantPlan(trx, "ada", { plan: "pro", until: Date.now() + DAY_MS, ...more }));
  const takeBack = () => db.transaction().execute((trx) => takePlanBack(trx, "ada"));

  test("covers websites until its last day, and is shown as granted", async () => {
    await grant();
    expect(await isEntitled()).toBe(true);
    expect(await purchases.register("ada", url("shop"))).toBe("added");
    expect(await purchases.of("ada")).toMatchObject([{ granted: true, entitles: true, plan: "pro", urlLimit: 5, amount: 0 }]);
    expect(await purchases.of("ada", Date.now() + 2 * DAY_MS)).toMatchObject([{ granted: true, entitles: false }]);
  });

  test("is left alone by the payment provider, and leaves its holder free to buy", async () => {
    await grant();
    await purchases.register("ada", url("shop"));
    await store([]);
    expect(await isEntitled()).toBe(true);
    expect(await purchases.unwritten()).toEqual([]);
    const subscriptions = createSubscriptions({ db });
    expect(await subscriptions.isSubscribed("ada")).toBe(false);
    expect(await subscriptions.currencyFor("ada", "en")).toBe("usd");
    await store([subscription()]);
    expect(await subscriptions.isSubscribed("ada")).toBe(true);
  });

  test("is changed by the next grant; taken back, it covers nothing new, and reports stay readable", async () => {
    await grant({ plan: "enterprise" });
    await grant({ plan: "basic" });
    expect(await purchases.of("ada")).toMatchObject([{ plan: "basic", urlLimit: 1 }]);
    await purchases.register("ada", url("shop"));
    const run = { url: url("shop"), createdAt: Date.now() - 1 };
    expect(await takeBack()).toBe(true);
    expect(await takeBack()).toBe(false);
    expect(await isEntitled()).toBe(false);
    expect(await purchases.isEntitledToReport("ada", run)).toBe(true);
  });
});

test.each([["2026-07-01", "2026-07-01T21:59:59.999Z"], ["2026-12-31", "2026-12-31T22:59:59.999Z"]])("the last moment of %s is %s", (day, moment) => {
  expect(new Date(endOfDay(day)).toISOString()).toBe(moment);
});
