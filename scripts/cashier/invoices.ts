import type Stripe from "stripe";
import type { Books } from "./books";
import { invoiceLine, type Line } from "./invoice-lines";
import { idOf, type Objects } from "./objects";
import { attempt, openIntent, type Attempt } from "./payments";

type Invoice = Objects["invoice"];

/** Between two attempts to collect what a renewal costs. */
const RETRY_SECONDS = 3 * 86_400;

export interface NewInvoice {
  /** So that what comes before the invoice can name it. */
  id: string;
  subscription: Stripe.Subscription;
  reason: "subscription_create" | "subscription_cycle" | "subscription_update";
  lines: Line[];
  publicUrl: string;
}

/** Writes an invoice and makes it final; what the customer has to their credit is taken off. */
export function issueInvoice(books: Books, { id, subscription, reason, lines, publicUrl }: NewInvoice): Invoice {
  const now = books.seconds();
  const customer = books.get("customer", idOf(subscription.customer) ?? "");
  const total = lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0);
  const due = Math.max(0, total + customer.balance);
  const byInvoice = subscription.collection_method === "send_invoice";
  const period = { start: Math.min(...lines.map(({ start }) => start)), end: Math.max(...lines.map(({ end }) => end)) };
  books.create(
    "invoice",
    {
      id,
      object: "invoice",
      account_country: "DE",
      account_name: "Rampe",
      account_tax_ids: null,
      amount_due: due,
      amount_overpaid: 0,
      amount_paid: 0,
      amount_remaining: due,
      amount_shipping: 0,
      application: null,
      attempt_count: 0,
      attempted: false,
      auto_advance: true,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null, status: null },
      automatically_finalizes_at: null,
      billing_reason: reason,
      collection_method: subscription.collection_method,
      created: now,
      currency: subscription.currency,
      custom_fields: null,
      customer: customer.id,
      customer_address: null,
      customer_email: customer.email,
      customer_name: customer.name ?? null,
      customer_phone: null,
      customer_shipping: null,
      customer_tax_exempt: "none",
      customer_tax_ids: [],
      default_payment_method: null,
      default_source: null,
      default_tax_rates: [],
      description: null,
      discounts: [],
      due_date: byInvoice ? now + (subscription.days_until_due ?? 30) * 86_400 : null,
      effective_at: null,
      ending_balance: null,
      footer: null,
      from_invoice: null,
      issuer: { type: "self" },
      last_finalization_error: null,
      latest_revision: null,
      lines: {
        object: "list",
        data: lines.map((line) => invoiceLine(line, { invoice: id, subscription })),
        has_more: false,
        url: `/v1/invoices/${id}/lines`,
      },
      livemode: false,
      metadata: {},
      next_payment_attempt: null,
      number: null,
      on_behalf_of: null,
      parent: {
        quote_details: null,
        subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
        type: "subscription_details",
      },
      payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
      period_end: period.end,
      period_start: period.start,
      post_payment_credit_notes_amount: 0,
      pre_payment_credit_notes_amount: 0,
      receipt_number: null,
      rendering: null,
      shipping_cost: null,
      shipping_details: null,
      starting_balance: customer.balance,
      statement_descriptor: null,
      status: "draft",
      status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
      subtotal: total,
      subtotal_excluding_tax: total,
      test_clock: null,
      total,
      total_discount_amounts: [],
      total_excluding_tax: total,
      total_pretax_credit_amounts: [],
      total_taxes: [],
      webhooks_delivered_at: null,
    },
    {},
    "invoice.created",
  );
  const balance = customer.balance - (due - total);
  useBalance(books, customer, balance);
  return books.update(
    "invoice",
    id,
    (draft) => {
      Object.assign(draft, { status: "open", effective_at: now, ending_balance: balance });
      draft.number = `${customer.invoice_prefix}-${String(nextNumber(books, customer.id)).padStart(4, "0")}`;
      draft.status_transitions.finalized_at = now;
      draft.hosted_invoice_url = `${publicUrl}/invoice/${id}`;
      draft.invoice_pdf = null;
    },
    "invoice.finalized",
  );
}

/** A credit is below 0. */
function useBalance(books: Books, customer: Stripe.Customer, balance: number): void {
  books.update("customer", customer.id, (draft) => Object.assign(draft, { balance }), "customer.updated");
}

function nextNumber(books: Books, customerId: string): number {
  const { next_invoice_sequence: number = 1 } = books.get("customer", customerId);
  books.update("customer", customerId, (draft) => Object.assign(draft, { next_invoice_sequence: number + 1 }));
  return number;
}

/**
 * Tries to collect what an open invoice asks for.
 * @param method null where there is no card to pay with
 */
export function collect(
  books: Books,
  invoiceId: string,
  method: string | null,
  how: { isFirst: boolean; settlesAfterMs: number },
): Attempt["result"] {
  const invoice = books.get("invoice", invoiceId);
  if (invoice.status !== "open") return "paid";
  if (invoice.amount_remaining === 0) {
    markPaid(books, invoiceId);
    return "paid";
  }
  const intent = intentFor(books, invoice);
  if (method === null) {
    markFailed(books, invoiceId, how.isFirst);
    return "declined";
  }
  const { result } = attempt(books, intent.id, method, how);
  if (result === "paid") markPaid(books, invoiceId);
  if (result === "declined") markFailed(books, invoiceId, how.isFirst);
  return result;
}

/** The payment of an invoice; made when somebody is to pay it. */
export function intentFor(books: Books, invoice: Invoice): Stripe.PaymentIntent {
  const { paymentIntent } = books.notes("invoice", invoice.id);
  if (paymentIntent) return books.get("payment_intent", paymentIntent);
  const intent = openIntent(books, {
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: invoice.billing_reason === "subscription_create" ? "Subscription creation" : "Subscription update",
    offSession: true,
  });
  books.note("payment_intent", intent.id, { invoice: invoice.id });
  books.note("invoice", invoice.id, { paymentIntent: intent.id });
  return intent;
}

export function markPaid(books: Books, invoiceId: string): void {
  books.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { status: "paid", amount_paid: draft.amount_due, amount_remaining: 0, attempted: true });
      Object.assign(draft, { attempt_count: draft.attempt_count + 1, next_payment_attempt: null, auto_advance: false });
      draft.status_transitions.paid_at = books.seconds();
    },
    "invoice.paid",
  );
  books.emit("invoice.payment_succeeded", books.get("invoice", invoiceId));
}

export function markFailed(books: Books, invoiceId: string, isFirst: boolean): void {
  books.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { attempted: true, attempt_count: draft.attempt_count + 1 });
      if (!isFirst) draft.next_payment_attempt = books.seconds() + RETRY_SECONDS;
    },
    "invoice.payment_failed",
  );
}

/** Nobody has to pay it any more. */
export function voidInvoice(books: Books, invoiceId: string): void {
  if (books.get("invoice", invoiceId).status !== "open") return;
  const { paymentIntent } = books.notes("invoice", invoiceId);
  books.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { status: "void", next_payment_attempt: null, auto_advance: false });
      draft.status_transitions.voided_at = books.seconds();
    },
    "invoice.voided",
  );
  if (!paymentIntent) return;
  const canceled = { status: "canceled", canceled_at: books.seconds(), cancellation_reason: "void_invoice" };
  books.update("payment_intent", paymentIntent, (draft) => Object.assign(draft, canceled), "payment_intent.canceled");
}

/** Newest first. */
export function invoicesOf(books: Books, { id, customer }: Stripe.Subscription): Invoice[] {
  return books
    .ofCustomer("invoice", idOf(customer) ?? "")
    .filter((invoice) => invoice.parent?.subscription_details?.subscription === id);
}
