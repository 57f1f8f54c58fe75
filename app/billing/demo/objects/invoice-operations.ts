import { z } from "zod";
import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import { invalidRequest, resourceMissing } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { amountIn, priceOfType } from "./catalogue";
import { draftInvoice, sumsOf } from "./invoice-draft";
import { invoiceLine } from "./invoice-lines";
import { paymentOf, sendOut, voidInvoice } from "./invoices";

type Invoice = Objects["invoice"];

/** Switches off reminders at Stripe; this cashier sends none. */
const noReminders = z.literal("false").optional();

export const newInvoice = z.strictObject({
  customer: params.text,
  currency: params.currency,
  collection_method: z.literal("send_invoice"),
  days_until_due: params.integer(0),
  auto_advance: noReminders,
  pending_invoice_items_behavior: z.literal("exclude").optional(),
  description: params.text.optional(),
  metadata: params.metadata,
  expand: params.expand,
});

export const finalInvoice = z.strictObject({ auto_advance: noReminders, expand: params.expand });

export const invoiceList = z.strictObject({
  ...params.paging,
  customer: params.text.optional(),
  subscription: params.text.optional(),
  status: z.enum(["draft", "open", "paid", "void"]).optional(),
});

export const newInvoiceItem = z.strictObject({
  customer: params.text,
  invoice: params.text,
  pricing: z.strictObject({ price: params.text }),
  currency: params.currency.optional(),
  expand: params.expand,
});

/** Creates an invoice without a subscription, as an empty draft. */
export function createInvoice(store: Store, fields: z.output<typeof newInvoice>): Invoice {
  return draftInvoice(store, {
    id: newId("in"),
    customer: store.get("customer", fields.customer, "customer").id,
    currency: fields.currency,
    reason: "manual",
    collectionMethod: fields.collection_method,
    daysUntilDue: fields.days_until_due,
    subscription: null,
    lines: [],
    description: fields.description ?? null,
    metadata: params.changeMetadata({}, fields.metadata),
  });
}

/** @throws {StripeError} 400 if the parameters do not fit, or the invoice is final */
export function addInvoiceItem(store: Store, fields: z.output<typeof newInvoiceItem>): Stripe.InvoiceItem {
  const { id: customer, balance } = store.get("customer", fields.customer, "customer");
  const invoice = store.find("invoice", fields.invoice);
  if (!invoice || invoice.customer !== customer) throw resourceMissing("invoice", fields.invoice, "invoice");
  mustBeDraft(invoice);
  const { currency } = invoice;
  const price = priceOfType(store, fields.pricing.price, "one_time", "pricing[price]");
  const amount = amountIn(store, price, currency);
  const now = store.seconds();
  const { product } = price;
  const description = store.get("product", product).name;
  const item: Stripe.InvoiceItem = {
    id: newId("ii"),
    object: "invoiceitem",
    amount,
    currency,
    customer,
    date: now,
    description,
    discountable: true,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: {},
    parent: null,
    period: { start: now, end: now },
    pricing: {
      price_details: { price: price.id, product },
      type: "price_details",
      unit_amount_decimal: String(amount),
    },
    proration: false,
    quantity: 1,
    tax_rates: [],
    test_clock: null,
  };
  store.emit("invoiceitem.created", item);
  const line = { amount, description, price: price.id, product, item: item.id, start: now, end: now };
  store.update(
    "invoice",
    invoice.id,
    (draft) => {
      draft.lines.data.push(invoiceLine(line, { invoice: draft.id, currency, subscription: null }));
      Object.assign(draft, sumsOf(draft.total + amount, balance));
    },
    "invoice.updated",
  );
  return item;
}

/** @throws {StripeError} 400 if the invoice is already final */
export function finalizeDraft(store: Store, id: string): Invoice {
  mustBeDraft(store.get("invoice", id));
  return sendOut(store, id);
}

/** @throws {StripeError} 400 if it is not open, or is being paid */
export function voidOpenInvoice(store: Store, id: string): Invoice {
  const { status } = store.get("invoice", id);
  if (status !== "open") throw invalidRequest("You can only pass in open invoices. This invoice isn't open.");
  if (paymentOf(store, id)?.status === "processing") {
    throw invalidRequest("You can't void an invoice whose payment is processing.");
  }
  voidInvoice(store, id);
  return store.get("invoice", id);
}

function mustBeDraft({ status }: Invoice): void {
  if (status === "draft") return;
  throw invalidRequest("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
}
