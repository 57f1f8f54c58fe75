import type Stripe from "stripe";
import type { Store } from "./store";
import { newId } from "./identifier";
import { draftInvoice, sumsOf, type Draft } from "./invoice-draft";
import { idOf, type Objects } from "./objects";
import { attempt, openIntent, type Attempt } from "./payments";

type Invoice = Objects["invoice"];

/** Interval between two attempts to collect a renewal. */
const RETRY_SECONDS = 3 * 86_400;
/** https://docs.stripe.com/invoicing/integration/automatic-advancement-collection */
const DRAFT_SECONDS = 3_600;

export interface NewInvoice extends Pick<Draft, "id" | "lines"> {
  subscription: Stripe.Subscription;
  reason: Exclude<Draft["reason"], "manual">;
  publicUrl: string;
}

/** Creates an invoice for a subscription and makes it final; with `send_invoice` it stays a draft for an hour. */
export function issueInvoice(books: Store, { subscription, publicUrl, ...invoice }: NewInvoice): Invoice {
  draftInvoice(books, {
    ...invoice,
    subscription,
    customer: idOf(subscription.customer) ?? "",
    currency: subscription.currency,
    collectionMethod: subscription.collection_method,
    daysUntilDue: subscription.days_until_due,
    metadata: {},
    autoAdvance: true,
  });
  if (subscription.collection_method !== "send_invoice") return finalizeInvoice(books, invoice.id, publicUrl);
  return books.update("invoice", invoice.id, (draft) => {
    draft.automatically_finalizes_at = books.seconds() + DRAFT_SECONDS;
  });
}

/** Makes a draft final, for payment by hand; if nothing remains to pay, it is marked as paid. */
export function sendOut(books: Store, id: string, publicUrl: string): Invoice {
  const invoice = finalizeInvoice(books, id, publicUrl);
  if (invoice.amount_remaining > 0) intentFor(books, invoice);
  else markPaid(books, id);
  return books.get("invoice", id);
}

/** Makes a draft final: it gets a number and a page, and the customer's credit is subtracted. */
function finalizeInvoice(books: Store, id: string, publicUrl: string): Invoice {
  const { total, customer: reference } = books.get("invoice", id);
  const customer = books.get("customer", idOf(reference) ?? "");
  const sums = sumsOf(total, customer.balance);
  const balance = customer.balance - (sums.amount_due - total);
  useBalance(books, customer, balance);
  return books.update(
    "invoice",
    id,
    (draft) => {
      Object.assign(draft, { ...sums, ...makeOpen(books, draft, publicUrl), ending_balance: balance });
    },
    "invoice.finalized",
  );
}

/** Creates an invoice for a payment already made at a checkout: the customer has nothing to do. */
export function issuePaidInvoice(
  books: Store,
  { intent, publicUrl, ...draft }: Pick<Draft, "customer" | "currency" | "lines" | "description"> & { intent: string; publicUrl: string },
): Invoice {
  const id = newId("in");
  draftInvoice(books, {
    ...draft,
    id,
    reason: "manual",
    collectionMethod: "charge_automatically",
    daysUntilDue: null,
    subscription: null,
    metadata: {},
    autoAdvance: false,
  });
  const { total } = books.get("invoice", id);
  // It does not use the customer's credit.
  const paid = { amount_due: total, amount_paid: total, amount_remaining: 0, starting_balance: 0, ending_balance: 0 };
  books.note("invoice", id, { paymentIntent: intent });
  books.update("invoice", id, (invoice) => Object.assign(invoice, { ...makeOpen(books, invoice, publicUrl), ...paid }), "invoice.finalized");
  markPaid(books, id);
  return books.get("invoice", id);
}

/** Fields of a final invoice: its number and its page. */
function makeOpen(books: Store, { id, customer, status_transitions }: Invoice, publicUrl: string): Partial<Invoice> {
  const now = books.seconds();
  const { id: owner, invoice_prefix: prefix } = books.get("customer", idOf(customer) ?? "");
  return {
    status: "open",
    effective_at: now,
    automatically_finalizes_at: null,
    number: `${prefix}-${String(nextNumber(books, owner)).padStart(4, "0")}`,
    status_transitions: { ...status_transitions, finalized_at: now },
    hosted_invoice_url: `${publicUrl}/invoice/${id}`,
    invoice_pdf: null,
  };
}

/** Negative: a credit. */
function useBalance(books: Store, customer: Stripe.Customer, balance: number): void {
  books.update("customer", customer.id, (draft) => Object.assign(draft, { balance }), "customer.updated");
}

function nextNumber(books: Store, customerId: string): number {
  const { next_invoice_sequence: number = 1 } = books.get("customer", customerId);
  books.update("customer", customerId, (draft) => Object.assign(draft, { next_invoice_sequence: number + 1 }));
  return number;
}

/**
 * Tries to collect the amount of an open invoice.
 * @param method null if the customer has no card
 */
export function collect(
  books: Store,
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

const PURPOSES: Record<string, string> = {
  manual: "Payment for Invoice",
  subscription_create: "Subscription creation",
};

/** The payment of an invoice; created when it becomes payable. */
export function intentFor(books: Store, invoice: Invoice): Stripe.PaymentIntent {
  const { paymentIntent } = books.notes("invoice", invoice.id);
  if (paymentIntent) return books.get("payment_intent", paymentIntent);
  const intent = openIntent(books, {
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: PURPOSES[invoice.billing_reason ?? "manual"] ?? "Subscription update",
    offSession: invoice.parent !== null,
  });
  books.note("payment_intent", intent.id, { invoice: invoice.id });
  books.note("invoice", invoice.id, { paymentIntent: intent.id });
  return intent;
}

export function markPaid(books: Store, invoiceId: string): void {
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

export function markFailed(books: Store, invoiceId: string, isFirst: boolean): void {
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

/** The customer no longer has to pay it. */
export function voidInvoice(books: Store, invoiceId: string): void {
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
export function invoicesOf(books: Store, { id, customer }: Stripe.Subscription): Invoice[] {
  return books
    .ofCustomer("invoice", idOf(customer) ?? "")
    .filter((invoice) => invoice.parent?.subscription_details?.subscription === id);
}
