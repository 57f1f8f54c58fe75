import type Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GOOD_CARD, idOf, openCashier, pay, post, stockShop, type OpenCashier } from "../../contracts/open-cashier";

let cashier: OpenCashier;
let shop: Awaited<ReturnType<typeof stockShop>>;
let customer: Stripe.Customer;

beforeEach(async () => {
  cashier = await openCashier();
  shop = await stockShop(cashier.stripe);
  customer = await cashier.stripe.customers.create({ email: "ada@example.org" });
});

afterEach(async () => {
  const { problems } = cashier;
  await cashier.close();
  expect(problems).toEqual([]);
});

async function bought(card: Partial<typeof GOOD_CARD> = {}): Promise<Stripe.Subscription> {
  const session = await cashier.stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: shop.basicMonthly.id, quantity: 1 }],
    success_url: "https://shop.example/",
  });
  expect((await pay(session, { ...GOOD_CARD, ...card })).status).toBe(303);
  await cashier.event("checkout.session.completed");
  cashier.events.length = 0;
  const { data: [subscription] } = await cashier.stripe.subscriptions.list({ customer: customer.id });
  return subscription!;
}

/** Presses a button of the clock page. */
async function press(id: string, action: string): Promise<void> {
  const answer = await post(`${cashier.publicUrl}/clock/${id}`, { do: action });
  expect(answer.status).toBe(303);
}

const now = (id: string) => cashier.stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
const statusOf = async (id: string) => (await cashier.stripe.subscriptions.retrieve(id)).status;
const invoiceOf = async (id: string) => (await now(id)).latest_invoice as Stripe.Invoice;

test("its metadata is changed by an update, and it ends with its period when that is wished", async () => {
  const { id, items } = await bought();
  const changed = await cashier.stripe.subscriptions.update(id, { metadata: { urls: "https://a.example" } });
  expect(changed).toMatchObject({ metadata: { urls: "https://a.example" } });
  await press(id, "cancel-at-end");
  expect(await now(id)).toMatchObject({ cancel_at_period_end: true, cancel_at: items.data[0]!.current_period_end });
  cashier.pass(32 * 86_400_000);
  const deleted = await cashier.event("customer.subscription.deleted");
  expect(deleted.data.object).toMatchObject({ id, status: "canceled", cancellation_details: { reason: "cancellation_requested" } });
});

test("a change of plan is charged at once for the rest of the period, and a credit is taken off the next invoices", async () => {
  const subscription = await bought();
  const [item] = subscription.items.data;
  const changeTo = (price: string) =>
    cashier.stripe.subscriptions.update(subscription.id, { items: [{ id: item!.id, price }], proration_behavior: "always_invoice" });
  const changed = await changeTo(shop.proMonthly.id);
  expect(changed.items.data).toMatchObject([{ id: item!.id, price: { id: shop.proMonthly.id }, plan: { amount: 4000 } }]);
  const invoice = await invoiceOf(subscription.id);
  expect(invoice).toMatchObject({ billing_reason: "subscription_update", status: "paid" });
  expect(invoice.lines.data).toHaveLength(2);
  expect(invoice.total).toBeGreaterThan(2400);
  expect(invoice.total).toBeLessThanOrEqual(2500);
  await changeTo(shop.basicMonthly.id);
  expect((await invoiceOf(subscription.id)).total).toBeLessThan(-2400);
  await press(subscription.id, "renew");
  expect(await invoiceOf(subscription.id)).toMatchObject({ status: "paid", total: 1500, amount_due: 0 });
  await press(subscription.id, "renew");
  const after = await invoiceOf(subscription.id);
  expect(after.amount_due).toBeLessThan(1500);
  expect(after.starting_balance).toBeLessThan(0);
});

test("renewals are paid, fail, recover, and are given up", async () => {
  const { id, items } = await bought();
  await press(id, "renew");
  const renewed = await now(id);
  expect(renewed.items.data[0]!.current_period_start).toBeGreaterThan(items.data[0]!.current_period_start);
  expect(renewed.latest_invoice).toMatchObject({ status: "paid", billing_reason: "subscription_cycle", amount_paid: 1500 });
  await press(id, "fail");
  expect(await now(id)).toMatchObject({ status: "past_due", latest_invoice: { status: "open", attempt_count: 1 } });
  await cashier.event("invoice.payment_failed");
  await cashier.event("payment_intent.payment_failed");
  await press(id, "recover");
  expect(await now(id)).toMatchObject({ status: "active", latest_invoice: { status: "paid" } });
  await press(id, "fail");
  await press(id, "give-up");
  expect(await statusOf(id)).toBe("unpaid");
  await press(id, "cancel");
  expect(await statusOf(id)).toBe("canceled");
  expect((await cashier.stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
  expect((await cashier.stripe.subscriptions.list({ customer: customer.id, status: "all" })).data).toHaveLength(1);
});

test("a card that is good now fails at the next renewal, and time alone brings that", async () => {
  const { id } = await bought({ number: "4000 0000 0000 0341" });
  expect(await statusOf(id)).toBe("active");
  cashier.pass(32 * 86_400_000);
  await cashier.event("invoice.payment_failed");
  expect(await statusOf(id)).toBe("past_due");
});

test("pausing and resuming", async () => {
  const { id } = await bought();
  await press(id, "pause");
  expect((await cashier.event("customer.subscription.paused")).data.object.status).toBe("paused");
  await press(id, "resume");
  await cashier.event("customer.subscription.resumed");
  expect(await statusOf(id)).toBe("active");
});

test("the last payment is refunded and disputed, of a subscription and of a single payment", async () => {
  const { id } = await bought();
  await press(id, "dispute");
  await press(id, "refund");
  await press(id, "refund");
  const refunded = await cashier.event("charge.refunded");
  expect(refunded.data.object).toMatchObject({ refunded: true, disputed: true, amount_refunded: 1500 });
  expect((await cashier.event("charge.dispute.created")).data.object).toMatchObject({ charge: refunded.data.object.id, amount: 1500 });
  const session = await cashier.stripe.checkout.sessions.create({
    mode: "payment",
    customer: customer.id,
    line_items: [{ price: shop.basicOnce.id, quantity: 1 }],
    success_url: "https://shop.example/",
  });
  await pay(session);
  const { payment_intent: intent } = await cashier.stripe.checkout.sessions.retrieve(session.id);
  cashier.events.length = 0;
  await press(idOf(intent), "refund");
  expect((await cashier.event("charge.refunded")).data.object).toMatchObject({ payment_intent: intent });
});

test("a subscription by invoice runs, and its invoice is paid on its own page", async () => {
  const subscription = await cashier.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.proMonthly.id }],
    collection_method: "send_invoice",
    days_until_due: 14,
    metadata: { urls: "https://a.example" },
    expand: ["latest_invoice"],
  });
  expect(subscription).toMatchObject({ status: "active", days_until_due: 14, latest_invoice: { status: "draft" } });
  const invoice = await cashier.stripe.invoices.finalizeInvoice((subscription.latest_invoice as Stripe.Invoice).id ?? "");
  expect(invoice).toMatchObject({ status: "open", amount_due: 4000, collection_method: "send_invoice" });
  const address = invoice.hosted_invoice_url!;
  expect((await post(address, { do: "pay", ...GOOD_CARD, number: "4000000000000002" })).status).toBe(422);
  const paid = await Promise.all([1, 2].map(() => post(address, { do: "pay", ...GOOD_CARD })));
  expect(paid.map(({ status }) => status)).toEqual([303, 303]);
  expect((await cashier.event("invoice.paid")).data.object).toMatchObject({ id: invoice.id, amount_paid: 4000 });
  expect((await cashier.stripe.paymentIntents.list({ customer: customer.id })).data).toMatchObject([{ status: "succeeded" }]);
});

test("an invoice that is not paid in time makes the subscription past due", async () => {
  const { id } = await cashier.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.proMonthly.id }],
    collection_method: "send_invoice",
    days_until_due: 3,
  });
  cashier.pass(4 * 86_400_000);
  await expect.poll(() => statusOf(id)).toBe("past_due");
});

test("what does not fit together is refused", async () => {
  const { subscriptions } = cashier.stripe;
  const byInvoice = { customer: customer.id, collection_method: "send_invoice" as const };
  const items = [{ price: shop.basicMonthly.id }];
  await expect(subscriptions.create({ ...byInvoice, items })).rejects.toMatchObject({ param: "days_until_due" });
  const once = { ...byInvoice, items: [{ price: shop.basicOnce.id }], days_until_due: 14 };
  await expect(subscriptions.create(once)).rejects.toMatchObject({ param: "items[0][price]" });
});

test("one whose first payment fails is over after a day", async () => {
  const { id } = await bought({ number: "4000 0084 0000 1629" });
  await cashier.event("checkout.session.async_payment_failed");
  expect(await statusOf(id)).toBe("incomplete");
  cashier.pass(24 * 3_600_000);
  await expect.poll(() => statusOf(id)).toBe("incomplete_expired");
});

test("cancelling at once ends it, once", async () => {
  const { id, items: { data: [item] } } = await bought();
  expect(await cashier.stripe.subscriptions.cancel(id)).toMatchObject({ status: "canceled" });
  await cashier.event("customer.subscription.deleted");
  await expect(cashier.stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404 });
  const items = [{ id: item!.id, price: shop.proMonthly.id }];
  await expect(cashier.stripe.subscriptions.update(id, { items })).rejects.toMatchObject({ statusCode: 400 });
  expect((await cashier.stripe.subscriptions.update(id, { metadata: { a: "b" } })).metadata).toEqual({ a: "b" });
});
