import type Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GOOD_CARD, idOf, openCashier, pay, post, stockShop, type OpenCashier } from "../../contracts/open-cashier";

let cashier: OpenCashier;
let shop: Awaited<ReturnType<typeof stockShop>>;
let customer: Stripe.Customer;

beforeEach(async () => {
  cashier = await openCashier();
  shop = await stockShop(cashier.stripe);
  customer = await cashier.stripe.customers.create({ email: "ada@example.org", metadata: { auth0_id: "auth0|1" } });
});

afterEach(async () => {
  const { problems } = cashier;
  await cashier.close();
  expect(problems).toEqual([]);
});

const urls = { success_url: "https://shop.example/done?id={CHECKOUT_SESSION_ID}", cancel_url: "https://shop.example/setup" };

function subscribeTo(price: Stripe.Price, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return cashier.stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    subscription_data: { metadata: { urls: "https://example.org" } },
    ...urls,
    ...more,
  });
}

function buyOnce(price: Stripe.Price, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return cashier.stripe.checkout.sessions.create({
    mode: "payment",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    payment_intent_data: { metadata: { urls: "https://example.org" } },
    ...urls,
    ...more,
  });
}

test("a subscription that is bought runs, is paid, and the shop is told", async () => {
  const session = await subscribeTo(shop.basicMonthly);
  const answer = await pay(session);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe(`https://shop.example/done?id=${session.id}`);

  const completed = await cashier.event("checkout.session.completed");
  expect(completed.data.object).toMatchObject({ id: session.id, status: "complete", payment_status: "paid", url: null });
  const subscription = await cashier.stripe.subscriptions.retrieve(idOf(completed.data.object.subscription), {
    expand: ["latest_invoice.payments", "items.data.price.product"],
  });
  expect(subscription).toMatchObject({ status: "active", metadata: { urls: "https://example.org" } });
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  expect(invoice).toMatchObject({ status: "paid", amount_paid: 1500, currency: "eur", billing_reason: "subscription_create" });
  expect(invoice.payments?.data[0]?.payment.payment_intent).toMatch(/^pi_/);
  const [item] = subscription.items.data;
  expect(item!.price.product).toMatchObject({ name: "Basic" });
  expect(item!.current_period_end - item!.current_period_start).toBeGreaterThan(27 * 86_400);
  const order = cashier.events.map(({ type }) => type).filter((type) => !/^(product|price)\./.test(type));
  expect(order).toEqual([
    "customer.created",
    "customer.subscription.created",
    "customer.updated",
    "invoice.created",
    "invoice.finalized",
    "payment_intent.created",
    "charge.succeeded",
    "payment_intent.succeeded",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.updated",
    "checkout.session.completed",
  ]);
});

test("a one-time payment is found by its customer, and its session by the payment", async () => {
  const session = await buyOnce(shop.proOnce, { currency: "usd", client_reference_id: "run-1", metadata: { run: "1" } });
  expect(session.amount_total).toBe(5500);
  await pay(session);
  const { data } = await cashier.stripe.paymentIntents.list({ customer: customer.id });
  expect(data).toMatchObject([{ status: "succeeded", amount: 5500, currency: "usd", metadata: { urls: "https://example.org" } }]);
  const found = await cashier.stripe.checkout.sessions.list({ payment_intent: data[0]!.id, expand: ["data.line_items"] });
  expect(found.data).toMatchObject([{ id: session.id, client_reference_id: "run-1", metadata: { run: "1" } }]);
  const [line] = found.data[0]!.line_items!.data;
  expect(line).toMatchObject({ quantity: 1, amount_total: 5500, price: { product: shop.pro.id } });
  const updated = await cashier.stripe.paymentIntents.update(data[0]!.id, { metadata: { urls: "https://a.example,https://b.example" } });
  expect(updated.metadata).toEqual({ urls: "https://a.example,https://b.example" });
});

test("a declined card can be tried again with another one, and pays once", async () => {
  const session = await buyOnce(shop.basicOnce);
  const declined = await pay(session, { ...GOOD_CARD, number: "4000000000000002" });
  expect(declined.status).toBe(422);
  const { data: [tried] } = await cashier.stripe.paymentIntents.list({ customer: customer.id });
  expect(tried).toMatchObject({ status: "requires_payment_method", last_payment_error: { code: "card_declined" } });
  const answers = await Promise.all([pay(session), pay(session), pay(session)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  const { data } = await cashier.stripe.paymentIntents.list({ customer: customer.id, expand: ["data.latest_charge"] });
  expect(data).toMatchObject([{ id: tried!.id, status: "succeeded", latest_charge: { paid: true } }]);
  await cashier.event("checkout.session.completed");
  const types = cashier.events.map(({ type }) => type);
  expect(types.filter((type) => type === "payment_intent.succeeded")).toHaveLength(1);
  expect(types.indexOf("payment_intent.payment_failed")).toBeLessThan(types.indexOf("payment_intent.succeeded"));
});

test("cancelling leads back and leaves the session open; an expired one cannot be paid", async () => {
  const session = await subscribeTo(shop.basicMonthly);
  const canceled = await post(session.url!, { do: "cancel" });
  expect([canceled.status, canceled.headers.get("location")]).toEqual([303, urls.cancel_url]);
  expect((await cashier.stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
  const expired = await cashier.stripe.checkout.sessions.expire(session.id);
  expect(expired).toMatchObject({ status: "expired", url: null });
  expect((await pay(session)).status).toBe(410);
  await cashier.event("checkout.session.expired");
  await expect(cashier.stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ type: "StripeInvalidRequestError" });
});

test("an open session expires after a day by itself", async () => {
  const session = await subscribeTo(shop.basicMonthly);
  cashier.pass(25 * 3_600_000);
  expect((await cashier.event("checkout.session.expired")).data.object.id).toBe(session.id);
});

test.each([
  ["4000000000003220", "checkout.session.async_payment_succeeded", "active", "paid"],
  ["4000008400001629", "checkout.session.async_payment_failed", "incomplete", "unpaid"],
] as const)("a payment with %s is decided later: %s", async (number, event, status, payment) => {
  const once = await buyOnce(shop.basicOnce);
  await pay(once, { ...GOOD_CARD, number });
  expect((await cashier.event("checkout.session.completed")).data.object.payment_status).toBe("unpaid");
  expect((await cashier.event(event)).data.object).toMatchObject({ id: once.id, payment_status: payment });
  cashier.events.length = 0;
  const monthly = await subscribeTo(shop.basicMonthly);
  await pay(monthly, { ...GOOD_CARD, number });
  const decided = await cashier.event(event);
  expect(decided.data.object).toMatchObject({ id: monthly.id, payment_status: payment });
  const subscription = await cashier.stripe.subscriptions.retrieve(idOf(decided.data.object.subscription));
  expect(subscription.status).toBe(status);
});

test("a customer's subscriptions have one currency", async () => {
  await pay(await subscribeTo(shop.basicMonthly));
  await expect(subscribeTo(shop.proMonthly, { currency: "usd" })).rejects.toMatchObject({ param: "currency" });
  expect((await buyOnce(shop.basicOnce, { currency: "usd" })).currency).toBe("usd");
});

test("a list of what belongs to nothing that there is says so", async () => {
  const { paymentIntents, subscriptions, checkout } = cashier.stripe;
  await expect(paymentIntents.list({ customer: "cus_none" })).rejects.toMatchObject({ code: "resource_missing" });
  await expect(subscriptions.list({ customer: "cus_none" })).rejects.toMatchObject({ code: "resource_missing" });
  await expect(checkout.sessions.list({ payment_intent: "pi_none" })).rejects.toMatchObject({ code: "resource_missing" });
});
