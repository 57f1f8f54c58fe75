import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStripeProvider } from "~/billing/stripe/provider.server";
import { idOf } from "~/billing/stripe/references";
import type { PlanOrder } from "~/billing/checkout.server";
import { ProviderUnavailable, SeveralCustomers } from "~/billing/billing-errors";
import type { User } from "~/accounts/user.server";
import { COMMAND_LINE, createAuditLog } from "~/administration/audit-log.server";
import { openAccountCustomers } from "~/server/billing/customers.server";
import type { Faults } from "~/billing/demo/cashier.server";
import { GOOD_CARD, openCashier, pay, post, type OpenCashier } from "../../contracts/open-cashier";
import { freshLocation } from "../../support/database/database";
import { envOf, withDatabase, type DatabaseLocation } from "../../support/database/server-database";
import { openShop, stockPlans, type Shop } from "../../support/billing/shop";

const DECLINED = { ...GOOD_CARD, number: "4000 0000 0000 0002" };
const faults: Faults = {};
let location: DatabaseLocation;
let cashier: OpenCashier;
let shop: Shop;
let ada: User;
let orders = 0;

/** The shop and its provider; every request, answer and event between them is validated against Stripe's document. */
beforeEach(async () => {
  location = freshLocation();
  cashier = await openCashier({
    listener: (payload, signature) => shop.billing.handleEvent(shop.billing.readEvent(payload, signature)),
    idle: true,
    faults: { before: (call) => faults.before?.(call) },
  });
  await stockPlans(cashier);
  shop = await openShop({ ...location, host: cashier.host, port: cashier.port });
  cashier.start();
  ada = await shop.customer("ada");
});

afterEach(async () => {
  const { problems } = cashier;
  await cashier.close();
  await shop.close();
  expect(problems).toEqual([]);
});

const order = (plan: PlanOrder["plan"], rhythm: PlanOrder["rhythm"], url: string | null = null): PlanOrder => ({
  id: `order-${(orders += 1)}`,
  plan,
  rhythm,
  url,
  checkId: null,
});
const buy = async (wanted: PlanOrder, card = GOOD_CARD) => pay({ url: await shop.billing.startCheckout(ada, wanted, "de") }, card);
const press = (id: string, action: string) => post(`${cashier.publicUrl}/clock/${id}`, { do: action });
const purchasesNow = () => shop.purchases.of(ada.id);
const accessNow = async () => (await purchasesNow()).map(({ entitles }) => entitles);
const comesToHave = (access: boolean[]) => expect.poll(accessNow).toEqual(access);
const covers = (url: string) => shop.purchases.covers(ada.id, url);
const comesToCover = (url: string) => expect.poll(() => covers(url)).toBe(true);

test("a monthly plan is paid, its URL registered and written to the provider", async () => {
  await buy(order("pro", "month", "https://a.example/page"));
  await comesToCover("https://a.example/");
  await shop.billing.writeUrls();
  const [{ id = "", amount, currency, urlLimit } = {}] = await purchasesNow();
  expect([amount, currency, urlLimit]).toEqual([4_000, "eur", 5]);
  expect((await cashier.stripe.subscriptions.retrieve(id)).metadata.urls).toBe("https://a.example/page");
});

test("each of two one-time payments has room for one website", async () => {
  await buy(order("basic", "once", "https://a.example/"));
  await comesToCover("https://a.example/");
  await buy(order("basic", "once", "https://b.example/"));
  await comesToCover("https://b.example/");
  expect(await shop.purchases.register(ada.id, "https://c.example/")).toBe("full");
  await shop.billing.writeUrls();
  const told = await cashier.stripe.paymentIntents.list();
  expect(told.data.map(({ metadata }) => metadata.urls).sort()).toEqual(["https://a.example/", "https://b.example/"]);
});

test("a one-time payment covers its website for 30 days, and has an invoice", async () => {
  await buy(order("basic", "once", "https://a.example/"));
  await comesToCover("https://a.example/");
  const [{ id = "", endsAt, entitles, plan } = {}] = await purchasesNow();
  const { latest_charge: charge } = await cashier.stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
  const paidAt = typeof charge === "object" && charge ? charge.created * 1_000 : 0;
  expect([plan, entitles, endsAt]).toEqual(["basic", true, paidAt + 30 * 86_400_000]);
  const [{ total, url = "" } = {}, ...others] = await shop.billing.paidInvoices(ada.id);
  expect([total, others]).toEqual([2_000, []]);
  expect((await fetch(url)).status).toBe(200);
  const { data: [session] } = await cashier.stripe.checkout.sessions.list({ payment_intent: id });
  expect(session?.custom_text.submit?.message).toContain("30 Tage");
});

test("an Enterprise subscription made by sales has unlimited websites at once, whatever the product is called", async () => {
  // Same function as in `billing:setup -- customer`.
  const { customerOf, close } = await openAccountCustomers(envOf(location), cashier.stripe);
  const customer = (await customerOf("Ada@Example.ORG")) ?? "";
  expect(await customerOf("ada@example.org"), "made once").toBe(customer);
  expect(await customerOf("nobody@example.org")).toBeNull();
  await close();
  const audited = await withDatabase(location, (db) => createAuditLog({ db }).list({ limit: 10 }));
  expect(audited).toEqual(Array.from({ length: 2 }, () => expect.objectContaining({ actor: COMMAND_LINE, action: "customer_looked_up", subjectId: ada.id, details: { customer } }) as unknown));
  await cashier.stripe.products.update("rampe_enterprise", { name: "All you can scan" });
  const agreed = { product: "rampe_enterprise", currency: "eur", unit_amount: 90_000, recurring: { interval: "year" as const } };
  const { id: price } = await cashier.stripe.prices.create(agreed);
  const byHand = { collection_method: "send_invoice" as const, days_until_due: 30 };
  await cashier.stripe.subscriptions.create({ customer, items: [{ price }], ...byHand });
  await comesToHave([true]);
  expect(await purchasesNow()).toMatchObject([{ plan: "enterprise", planName: "All you can scan", urlLimit: null }]);
  for (let site = 1; site <= 7; site += 1) expect(await shop.purchases.register(ada.id, `https://site${site}.example/`)).toBe("added");
  expect(await covers("https://site7.example/")).toBe(true);
});

test("a product without a number of websites is named in the log", async () => {
  await buy(order("basic", "month"));
  const { data: [customer] } = await cashier.stripe.customers.list();
  await cashier.stripe.products.update("rampe_basic", { metadata: { urls: "" } });
  const log = vi.fn();
  await createStripeProvider({ stripe: cashier.stripe, webhookSecret: null, log }).purchasesOf(customer?.id ?? "");
  expect(log).toHaveBeenCalledWith("Error in getLimit", { product: "rampe_basic", reason: expect.any(String) as string });
});

test("a payment without a checkout is named in the log, and gives no entitlement", async () => {
  await buy(order("basic", "once"));
  const { data: [payment] } = await cashier.stripe.paymentIntents.list();
  const customer = idOf(payment?.customer ?? null) ?? "";
  // Payment outside of our checkout: no session is found.
  const { sessions } = cashier.stripe.checkout;
  vi.spyOn(sessions, "list").mockResolvedValueOnce({ data: [] } as never);
  const log = vi.fn();
  const { payments } = await createStripeProvider({ stripe: cashier.stripe, webhookSecret: null, log }).purchasesOf(customer);
  expect(log).toHaveBeenCalledWith("No session found for payment", { payment: payment?.id });
  expect(payments).toEqual([]);
});

test("a declined card buys nothing; another card completes the purchase", async () => {
  const wanted = order("basic", "once", "https://a.example/");
  expect((await buy(wanted, DECLINED)).status).toBe(422);
  expect(await shop.billing.outcomeOf(ada, wanted.id)).toMatchObject({ outcome: "open" });
  expect((await buy(wanted)).status).toBe(303);
  await comesToCover("https://a.example/");
  expect(await shop.billing.outcomeOf(ada, wanted.id)).toMatchObject({ outcome: "paid" });
});

test("a pending payment gives an entitlement when it arrives, and none if it fails", async () => {
  const [good, bad] = [order("basic", "once", "https://a.example/"), order("basic", "once", "https://b.example/")];
  await buy(good, { ...GOOD_CARD, number: "4000 0000 0000 3220" });
  await buy(bad, { ...GOOD_CARD, number: "4000 0084 0000 1629" });
  expect(await covers("https://a.example/")).toBe(false);
  await comesToCover("https://a.example/");
  await cashier.event("checkout.session.async_payment_failed");
  expect(await covers("https://b.example/")).toBe(false);
  expect(await shop.billing.outcomeOf(ada, bad.id)).toMatchObject({ outcome: "failed" });
  expect(await shop.billing.cancelForAccountDeletion(ada.id)).toBeNull();
});

test("a plan can be changed and cancelled in the portal", async () => {
  await buy(order("pro", "month", "https://a.example/"));
  await comesToCover("https://a.example/");
  await shop.purchases.register(ada.id, "https://b.example/");
  const portal = (await shop.billing.openPortal(ada, "de")) ?? "";
  const [{ id = "" } = {}] = await purchasesNow();
  const { data: [basic] } = await cashier.stripe.prices.list({ lookup_keys: ["rampe_basic_month"] });
  await post(portal, { do: "change", subscription: id, price: basic?.id ?? "" });
  await expect.poll(async () => (await purchasesNow())[0]?.urlLimit).toBe(1);
  expect([await covers("https://a.example/"), await covers("https://b.example/")]).toEqual([true, false]);
  await post(portal, { do: "cancel-at-end", subscription: id });
  await expect.poll(async () => (await purchasesNow())[0]?.cancelAtPeriodEnd).toBe(true);
  expect(await accessNow()).toEqual([true]);
  await press(id, "end-period");
  await comesToHave([false]);
});

test("an unpaid subscription loses its entitlement; a payment restores it", async () => {
  await buy(order("basic", "month"));
  await comesToHave([true]);
  const [{ id = "" } = {}] = await purchasesNow();
  await press(id, "fail");
  await expect.poll(async () => (await purchasesNow())[0]?.status).toBe("past_due");
  expect(await accessNow()).toEqual([true]);
  await press(id, "give-up");
  await comesToHave([false]);
  await press(id, "recover");
  await comesToHave([true]);
  await press(id, "pause");
  await comesToHave([false]);
  await press(id, "resume");
  await comesToHave([true]);
});

test("a disputed payment gives no entitlement until the dispute is won; a lost or refunded one gives none", async () => {
  await buy(order("basic", "once"));
  await comesToHave([true]);
  const [{ id = "" } = {}] = await purchasesNow();
  await press(id, "dispute");
  await comesToHave([false]);
  await press(id, "dispute-won");
  await comesToHave([true]);
  await press(id, "refund");
  await comesToHave([false]);
  await buy(order("pro", "once"));
  await comesToHave([true, false]);
  const [{ id: second = "" } = {}] = await purchasesNow();
  await press(second, "dispute");
  await comesToHave([false, false]);
  await press(second, "dispute-lost");
  await cashier.event("charge.dispute.closed");
  expect(await accessNow()).toEqual([false, false]);
});

test("a paid monthly invoice entitles to its URL, and the next invoice is sent too", async () => {
  await shop.billing.sendInvoice(ada, order("pro", "month", "https://a.example/"), "de");
  const [invoice] = await shop.billing.openInvoices(ada.id);
  expect(invoice).toMatchObject({ amount: 4_000, currency: "eur", planName: "Rampe Pro" });
  expect([await accessNow(), (await shop.mails()).length]).toEqual([[false], 1]);
  expect((await post(invoice?.url ?? "", { do: "pay", ...GOOD_CARD })).status).toBe(303);
  await comesToCover("https://a.example/");
  expect(await shop.billing.openInvoices(ada.id)).toEqual([]);
  const [{ id = "" } = {}] = await purchasesNow();
  await press(id, "renew");
  await shop.billing.reconcile(ada.id);
  expect((await shop.mails()).length, "a draft is sent to nobody").toBe(1);
  cashier.pass(3_600_000);
  await expect.poll(async () => (await shop.mails()).length).toBe(2);
  expect([await accessNow(), (await shop.billing.openInvoices(ada.id)).length]).toEqual([[true], 1]);
  cashier.pass(15 * 86_400_000);
  await comesToHave([false]);
});

test("an order by invoice whose answer was lost is sent an hour later, and its URL registered", async () => {
  faults.before = ({ path }) => (path.endsWith("/finalize") ? { status: 402 } : undefined);
  const wanted = order("pro", "month", "https://a.example/");
  await expect(shop.billing.sendInvoice(ada, wanted, "de")).rejects.toThrow(ProviderUnavailable);
  faults.before = undefined;
  expect([await shop.mails(), await accessNow()]).toEqual([[], []]);
  cashier.pass(3_600_000);
  await expect.poll(async () => (await shop.billing.openInvoices(ada.id)).length).toBe(1);
  const [invoice] = await shop.billing.openInvoices(ada.id);
  expect([await accessNow(), (await shop.mails()).length]).toEqual([[false], 1]);
  await post(invoice?.url ?? "", { do: "pay", ...GOOD_CARD });
  await comesToCover("https://a.example/");
});

test("an invoice with a negative amount gives no entitlement", async () => {
  await shop.billing.sendInvoice(ada, order("pro", "month"), "de");
  const { data: [subscription] } = await cashier.stripe.subscriptions.list();
  const { data: [basic] } = await cashier.stripe.prices.list({ lookup_keys: ["rampe_basic_month"] });
  const items = [{ id: subscription?.items.data[0]?.id, price: basic?.id }];
  await cashier.stripe.subscriptions.update(subscription?.id ?? "", { items, proration_behavior: "always_invoice" });
  await press(subscription?.id ?? "", "finalize");
  const { data: [given] } = await cashier.stripe.invoices.list({ status: "paid" });
  expect(given?.total).toBe(-2_500);
  await shop.billing.reconcile(ada.id);
  expect(await accessNow()).toEqual([false]);
});

test("the first payment cancels other monthly orders, but not the order of a single scan", async () => {
  const [first, second] = [order("pro", "month"), order("basic", "month")];
  const [one, other] = [await shop.billing.startCheckout(ada, first, "de"), await shop.billing.startCheckout(ada, second, "de")];
  const single = await shop.billing.startCheckout(ada, order("basic", "once"), "de");
  await shop.billing.sendInvoice(ada, order("pro", "month"), "de");
  await pay({ url: other });
  await comesToHave([true, false]);
  await cashier.event("invoice.voided");
  await cashier.event("checkout.session.expired");
  expect((await pay({ url: one })).status).toBe(410);
  expect((await cashier.stripe.subscriptions.list({ status: "active" })).data).toHaveLength(1);
  expect((await pay({ url: single })).status).toBe(303);
});

test("a plan by invoice that was never paid is canceled when it is overdue, with its invoice", async () => {
  await shop.billing.sendInvoice(ada, order("pro", "month"), "de");
  cashier.pass(15 * 86_400_000);
  await cashier.event("customer.subscription.deleted");
  await expect.poll(() => shop.billing.openInvoices(ada.id)).toEqual([]);
  const { data: [subscription] } = await cashier.stripe.subscriptions.list({ status: "all" });
  const { data: [invoice] } = await cashier.stripe.invoices.list();
  expect([subscription?.status, invoice?.status]).toEqual(["canceled", "void"]);
});

test("before an account is deleted, all its unpaid orders are canceled", async () => {
  const checkout = await shop.billing.startCheckout(ada, order("basic", "once"), "de");
  await shop.billing.sendInvoice(ada, order("basic", "once"), "de");
  await shop.billing.sendInvoice(ada, order("pro", "month"), "de");
  expect(await shop.billing.cancelForAccountDeletion(ada.id)).toBeNull();
  expect((await pay({ url: checkout })).status).toBe(410);
  const { invoices, subscriptions } = cashier.stripe;
  expect((await invoices.list()).data.map(({ status }) => status)).toEqual(["void", "void"]);
  expect((await subscriptions.list()).data).toEqual([]);
});

test("a customer can still be created after a lost answer and a change of address", async () => {
  const provider = createStripeProvider({ stripe: cashier.stripe, webhookSecret: null });
  const person = { id: "eve", key: "auth0|eve", instead: null };
  const [one, again] = [await provider.createCustomer({ ...person, email: "a@example.org" }), await provider.createCustomer({ ...person, email: "a@example.org" })];
  expect(again).toBe(one);
  await provider.createCustomer({ ...person, email: "b@example.org" });
});

test("a customer that the provider has deleted is replaced at the next order", async () => {
  await buy(order("pro", "month", "https://a.example/"));
  await comesToHave([true]);
  const { data: [old] } = await cashier.stripe.customers.list();
  await shop.db.updateTable("customer").set({ customer_id: "cus_of_another_account" }).execute();
  await shop.billing.reconcile(ada.id);
  expect(await accessNow(), "nothing is known of it there").toEqual([false]);
  await cashier.stripe.customers.del(old?.id ?? "");
  await buy(order("basic", "month", "https://b.example/"));
  await comesToCover("https://b.example/");
  expect((await cashier.stripe.customers.list()).data.map(({ id }) => id)).not.toContain(old?.id);
});

test("a paid single invoice entitles to its URL, writes the URL to the provider, and can be refunded", async () => {
  await shop.billing.sendInvoice(ada, order("basic", "once", "https://a.example/"), "en");
  const [invoice] = await shop.billing.openInvoices(ada.id);
  expect(invoice).toMatchObject({ amount: 2_000, currency: "usd", planName: "Rampe Basic" });
  expect([await purchasesNow(), (await shop.mails()).length]).toEqual([[], 1]);
  await post(invoice?.url ?? "", { do: "pay", ...GOOD_CARD });
  await comesToCover("https://a.example/");
  const [{ id = "", kind } = {}] = await purchasesNow();
  expect(kind).toBe("payment");
  await shop.billing.writeUrls();
  expect((await cashier.stripe.paymentIntents.retrieve(id)).metadata.urls).toBe("https://a.example/");
  await press(id, "refund");
  await comesToHave([false]);
});

test("an invoice covered by a customer's credit counts as paid", async () => {
  await buy(order("pro", "month"));
  await comesToHave([true]);
  const [{ id = "" } = {}] = await purchasesNow();
  const portal = (await shop.billing.openPortal(ada, "de")) ?? "";
  const { data: [basic] } = await cashier.stripe.prices.list({ lookup_keys: ["rampe_basic_month"] });
  await post(portal, { do: "change", subscription: id, price: basic?.id ?? "" });
  await shop.billing.sendInvoice(ada, order("basic", "once"), "de");
  const bought = (await purchasesNow()).find(({ kind }) => kind === "payment");
  expect([bought?.id.slice(0, 3), bought?.entitles, await shop.mails()]).toEqual(["in_", true, []]);
  expect(await shop.purchases.register(ada.id, "https://a.example/")).toBe("added");
  await shop.billing.writeUrls();
});

test("with several customers none is chosen; purchases work again once there is one", async () => {
  const { customers } = cashier.stripe;
  const [, second] = await Promise.all([1, 2].map(() => customers.create({ metadata: { auth0_id: "auth0|ada" } })));
  await expect(shop.billing.startCheckout(ada, order("basic", "month"), "de")).rejects.toThrow(SeveralCustomers);
  expect(await shop.billing.isAmbiguous(ada.id)).toBe(true);
  await customers.del(second?.id ?? "");
  await buy(order("basic", "month"));
  await comesToHave([true]);
  expect(await shop.billing.isAmbiguous(ada.id)).toBe(false);
});
