import type Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GOOD_CARD, openCashier, post, stockShop, type OpenCashier } from "../../contracts/open-cashier";

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

const draft = () =>
  cashier.stripe.invoices.create({
    customer: customer.id,
    currency: "usd",
    collection_method: "send_invoice",
    days_until_due: 14,
    auto_advance: false,
    metadata: { order: "1" },
  });

const fill = (invoice: Stripe.Invoice, price = shop.basicOnce) =>
  cashier.stripe.invoiceItems.create({ customer: customer.id, invoice: invoice.id, pricing: { price: price.id } });

test("an invoice of its own is written, made final, and paid on its page", async () => {
  const { invoices } = cashier.stripe;
  const { id = "" } = await draft();
  expect(await invoices.retrieve(id)).toMatchObject({ status: "draft", total: 0, number: null });
  await fill(await invoices.retrieve(id));
  const final = await invoices.finalizeInvoice(id);
  expect(final).toMatchObject({ status: "open", amount_due: 2_200, currency: "usd", parent: null, billing_reason: "manual" });
  await cashier.event("invoiceitem.created");
  expect((await post(final.hosted_invoice_url ?? "", { do: "pay", ...GOOD_CARD })).status).toBe(303);
  expect((await cashier.event("invoice.paid")).data.object).toMatchObject({ id, amount_paid: 2_200, metadata: { order: "1" } });
  const list = await invoices.list({ customer: customer.id, status: "paid", expand: ["data.payments"] });
  expect(list.data[0]?.payments?.data[0]?.payment.payment_intent).toMatch(/^pi_/);
});

test("a draft has no page and cannot be voided; what is final takes no more items, is not made final twice, and is voided once", async () => {
  const { invoices } = cashier.stripe;
  const invoice = await draft();
  expect((await fetch(`${cashier.publicUrl}/invoice/${invoice.id}`)).status).toBe(404);
  await expect(invoices.voidInvoice(invoice.id ?? "")).rejects.toMatchObject({ statusCode: 400 });
  await fill(invoice);
  await invoices.finalizeInvoice(invoice.id ?? "");
  await expect(invoices.finalizeInvoice(invoice.id ?? "")).rejects.toMatchObject({ statusCode: 400 });
  await expect(fill(invoice)).rejects.toMatchObject({ statusCode: 400 });
  expect(await invoices.voidInvoice(invoice.id ?? "")).toMatchObject({ status: "void" });
  await expect(invoices.voidInvoice(invoice.id ?? "")).rejects.toMatchObject({ statusCode: 400 });
});

test("the invoices of a subscription that are sent are drafts first, until somebody or an hour makes them final", async () => {
  const { invoices, subscriptions } = cashier.stripe;
  const terms = { collection_method: "send_invoice" as const, days_until_due: 14 };
  const subscription = await subscriptions.create({ customer: customer.id, items: [{ price: shop.basicMonthly.id }], ...terms });
  const newest = async () => invoices.retrieve((await subscriptions.retrieve(subscription.id)).latest_invoice as string);
  const press = (action: string) => post(`${cashier.publicUrl}/clock/${subscription.id}`, { do: action });
  const first = await newest();
  expect(first).toMatchObject({ status: "draft", number: null, total: 1_500, billing_reason: "subscription_create" });
  expect(first.automatically_finalizes_at).toBeGreaterThan(first.created);
  expect((await fetch(`${cashier.publicUrl}/invoice/${first.id}`)).status).toBe(404);
  await invoices.finalizeInvoice(first.id ?? "", { auto_advance: false });
  await press("renew");
  await press("finalize");
  expect(await newest()).toMatchObject({ status: "open", billing_reason: "subscription_cycle", automatically_finalizes_at: null });
  await press("renew");
  expect((await newest()).status).toBe("draft");
  cashier.pass(3_600_000);
  await expect.poll(async () => (await newest()).status).toBe("open");
});

test("an invoice asks for what is sold once, and for its own customer's", async () => {
  const invoice = await draft();
  await expect(fill(invoice, shop.basicMonthly)).rejects.toMatchObject({ param: "pricing[price]" });
  customer = await cashier.stripe.customers.create({});
  await expect(fill(invoice)).rejects.toMatchObject({ param: "invoice" });
});

test("a dispute is open until the bank has decided", async () => {
  const { disputes, invoices, paymentIntents } = cashier.stripe;
  const invoice = await draft();
  await fill(invoice);
  const { hosted_invoice_url: page } = await invoices.finalizeInvoice(invoice.id ?? "");
  await post(page ?? "", { do: "pay", ...GOOD_CARD });
  const { data: [intent] } = await paymentIntents.list({ customer: customer.id });
  const press = (action: string) => post(`${cashier.publicUrl}/clock/${intent?.id}`, { do: action });
  await press("dispute-won");
  await press("dispute");
  const about = { payment_intent: intent?.id };
  expect((await disputes.list(about)).data).toMatchObject([{ status: "needs_response", amount: 2_200 }]);
  await press("dispute-won");
  await press("dispute-lost");
  expect((await disputes.list(about)).data).toMatchObject([{ status: "won" }]);
  expect((await cashier.event("charge.dispute.closed")).data.object.status).toBe("won");
});
