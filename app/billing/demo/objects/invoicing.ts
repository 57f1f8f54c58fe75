import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { amountIn } from "./catalogue";
import { findCustomer } from "./customers";
import { missing, unusable } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import { draftInvoice, sumsOf } from "./invoice-draft";
import { invoiceLine } from "./invoice-lines";
import { sendOut, voidInvoice } from "./invoices";
import { idOf, type Objects } from "~/billing/demo/store/objects";
import * as take from "~/billing/demo/protocol/parameters";

type Invoice = Objects["invoice"];

export const newInvoice = z.strictObject({
  customer: take.text,
  currency: take.currency.optional(),
  collection_method: z.literal("send_invoice"),
  days_until_due: take.integerFrom(0),
  auto_advance: take.truth.optional(),
  pending_invoice_items_behavior: z.literal("exclude").optional(),
  description: take.clearable.optional(),
  metadata: take.metadata.optional(),
  expand: take.expand,
});

export const changedInvoice = z.strictObject({ metadata: take.metadata.optional(), expand: take.expand });

export const finalInvoice = z.strictObject({ auto_advance: take.truth.optional(), expand: take.expand });

export const invoiceList = z.strictObject({
  ...take.paging,
  customer: take.text.optional(),
  subscription: take.text.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
  collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
  created: take.timeFilter.optional(),
});

export const newInvoiceItem = z.strictObject({
  customer: take.text,
  invoice: take.text,
  pricing: z.strictObject({ price: take.text }),
  currency: take.currency.optional(),
  quantity: take.integerFrom(1).default(1),
  expand: take.expand,
});

/** An invoice without a subscription, as an empty draft. */
export function createInvoice(store: Store, fields: z.output<typeof newInvoice>): Invoice {
  const { id: customer } = findCustomer(store, fields.customer);
  return draftInvoice(store, {
    id: newId("in"),
    customer,
    currency: fields.currency ?? "eur",
    reason: "manual",
    collectionMethod: fields.collection_method,
    daysUntilDue: fields.days_until_due,
    subscription: null,
    lines: [],
    description: fields.description ?? null,
    metadata: take.changeMetadata({}, fields.metadata),
    autoAdvance: fields.auto_advance ?? false,
  });
}

/** @throws {StripeError} 400 if the parameters do not fit, or the invoice is final */
export function addInvoiceItem(store: Store, fields: z.output<typeof newInvoiceItem>): Stripe.InvoiceItem {
  const { id: customer } = findCustomer(store, fields.customer);
  const invoice = store.find("invoice", fields.invoice);
  if (!invoice || idOf(invoice.customer) !== customer) throw missing("invoice", fields.invoice, "invoice");
  mustBeDraft(invoice);
  const price = store.find("price", fields.pricing.price);
  if (!price || price.type === "recurring") throw missing("price", fields.pricing.price, "pricing[price]");
  const amount = amountIn(store, price, invoice.currency, "currency");
  const product = idOf(price.product) ?? "";
  const { quantity } = fields;
  const now = store.seconds();
  const line = { amount, quantity, description: store.get("product", product).name, price: price.id, product, start: now, end: now };
  const item: Stripe.InvoiceItem = {
    id: newId("ii"),
    object: "invoiceitem",
    amount: amount * quantity,
    currency: invoice.currency,
    customer,
    date: now,
    description: line.description,
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
    quantity,
    tax_rates: [],
    test_clock: null,
  };
  store.create("invoiceitem", item, {}, "invoiceitem.created");
  const { balance } = store.get("customer", customer);
  store.update(
    "invoice",
    invoice.id,
    (draft) => {
      const place = { invoice: draft.id, currency: draft.currency, subscription: null };
      draft.lines.data.push(invoiceLine({ ...line, item: item.id }, place));
      Object.assign(draft, sumsOf(draft.total + item.amount, balance));
    },
    "invoice.updated",
  );
  return item;
}

/** @throws {StripeError} 400 if the invoice is final already */
export function makeFinal(store: Store, id: string, { auto_advance: advances }: z.output<typeof finalInvoice>, publicUrl: string): Invoice {
  mustBeDraft(store.get("invoice", id, "invoice"));
  if (advances !== undefined) store.update("invoice", id, (draft) => void (draft.auto_advance = advances));
  return sendOut(store, id, publicUrl);
}

/** @throws {StripeError} 400 if it is not open, or is being paid */
export function takeBack(store: Store, id: string): Invoice {
  const { status } = store.get("invoice", id, "invoice");
  if (status !== "open") throw unusable("You can only pass in open invoices. This invoice isn't open.");
  const { paymentIntent } = store.notes("invoice", id);
  if (paymentIntent && store.get("payment_intent", paymentIntent).status === "processing") {
    throw unusable("You can't void an invoice whose payment is processing.");
  }
  voidInvoice(store, id);
  return store.get("invoice", id);
}

export function updateInvoice(store: Store, id: string, { metadata }: z.output<typeof changedInvoice>): Invoice {
  store.get("invoice", id, "invoice");
  return store.update(
    "invoice",
    id,
    (draft) => void (draft.metadata = take.changeMetadata(draft.metadata ?? {}, metadata)),
    "invoice.updated",
  );
}

function mustBeDraft({ status }: Invoice): void {
  if (status === "draft") return;
  throw unusable("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
}
