import type Stripe from "stripe";
import { oneTimeTerm } from "~/billing/plans/one-time-term";
import type { Checkout, InvoiceOrder } from "~/billing/provider";
import { callProvider } from "./call-provider.server";
import { idOf, subscriptionOf } from "./references";
import { orderMetadata } from "~/billing/websites/url-list";

/**
 * Creates an invoice: a subscription's first one, or a single one. Each step has its idempotency key: an interrupted attempt is
 * continued, and concurrent attempts are one.
 */
export async function startInvoice(stripe: Stripe, order: InvoiceOrder): Promise<Checkout> {
  const begun = order.price.rhythm === "month" ? await subscribe(stripe, order) : await draft(stripe, order);
  const id = idOf(begun) ?? "";
  // The same idempotency key repeats the first answer, which may be out of date.
  const invoice = await callProvider(stripe.invoices.retrieve(id));
  if (invoice.status !== "draft") return toOrderState(invoice);
  // Stripe's own reminders are off: we send the mails.
  const final = await callProvider(stripe.invoices.finalizeInvoice(id, { auto_advance: false }, { idempotencyKey: `final-${keyOf(order)}` }));
  return toOrderState(final);
}

async function subscribe(stripe: Stripe, order: InvoiceOrder): Promise<string | Stripe.Invoice | null> {
  const { id, customer, price, currency, daysUntilDue } = order;
  const subscription = await callProvider(
    stripe.subscriptions.create(
      {
        customer,
        items: [{ price: price.id }],
        currency,
        collection_method: "send_invoice",
        days_until_due: daysUntilDue,
        metadata: orderMetadata(id, order.url),
      },
      { idempotencyKey: `invoice-${keyOf(order)}` },
    ),
  );
  return subscription.latest_invoice;
}

async function draft(stripe: Stripe, order: InvoiceOrder): Promise<Stripe.Invoice> {
  const { id, customer, price, currency, daysUntilDue, locale } = order;
  const invoice = await callProvider(
    stripe.invoices.create(
      {
        customer,
        currency,
        collection_method: "send_invoice",
        days_until_due: daysUntilDue,
        auto_advance: false,
        description: oneTimeTerm(locale),
        // Other pending items do not belong to this order.
        pending_invoice_items_behavior: "exclude",
        metadata: orderMetadata(id, order.url),
      },
      { idempotencyKey: `invoice-${keyOf(order)}` },
    ),
  );
  await callProvider(
    stripe.invoiceItems.create(
      { customer, invoice: invoice.id, pricing: { price: price.id }, currency },
      { idempotencyKey: `item-${keyOf(order)}` },
    ),
  );
  return invoice;
}

/** Idempotency key for one request: contains all values that may change between attempts, such as a replaced customer. */
const keyOf = ({ id, customer, price, currency, locale }: InvoiceOrder) => [id, customer, price.id, currency, locale].join("-");

/** State of an order by invoice. */
export function toOrderState(invoice: Stripe.Invoice): Checkout {
  const { id = "", hosted_invoice_url: url, customer, status } = invoice;
  const isPaid = status === "paid";
  const isOpen = status === "open" || status === "draft";
  return {
    id,
    url: isOpen ? (url ?? null) : null,
    customer: idOf(customer),
    status: isPaid ? "complete" : isOpen ? "open" : "expired",
    rhythm: subscriptionOf(invoice) === null ? "once" : "month",
    paid: isPaid,
  };
}
