import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { newId } from "~/billing/demo/protocol/identifier";
import { draftInvoice, sumsOf, type Draft } from "./invoice-draft";
import { idOf, type Objects } from "~/billing/demo/store/objects";
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
export function issueInvoice(store: Store, { subscription, publicUrl, ...invoice }: NewInvoice): Invoice {
  draftInvoice(store, {
    ...invoice,
    subscription,
    customer: idOf(subscription.customer) ?? "",
    currency: subscription.currency,
    collectionMethod: subscription.collection_method,
    daysUntilDue: subscription.days_until_due,
    metadata: {},
    autoAdvance: true,
  });
  if (subscription.collection_method !== "send_invoice") return finalizeInvoice(store, invoice.id, publicUrl);
  return store.update("invoice", invoice.id, (draft) => {
    draft.automatically_finalizes_at = store.seconds() + DRAFT_SECONDS;
  });
}

/** Makes a draft final, for payment by hand; if nothing remains to pay, it is marked as paid. */
export function sendOut(store: Store, id: string, publicUrl: string): Invoice {
  const invoice = finalizeInvoice(store, id, publicUrl);
  if (invoice.amount_remaining > 0) intentFor(store, invoice);
  else markPaid(store, id);
  return store.get("invoice", id);
}

/** Makes a draft final: it gets a number and a page, and the customer's credit is subtracted. */
function finalizeInvoice(store: Store, id: string, publicUrl: string): Invoice {
  const { total, customer: reference } = store.get("invoice", id);
  const customer = store.get("customer", idOf(reference) ?? "");
  const sums = sumsOf(total, customer.balance);
  const balance = customer.balance - (sums.amount_due - total);
  setBalance(store, customer, balance);
  return store.update(
    "invoice",
    id,
    (draft) => {
      Object.assign(draft, { ...sums, ...makeOpen(store, draft, publicUrl), ending_balance: balance });
    },
    "invoice.finalized",
  );
}

/** Creates an invoice for a payment already made at a checkout: the customer has nothing to do. */
export function issuePaidInvoice(
  store: Store,
  { intent, publicUrl, ...draft }: Pick<Draft, "customer" | "currency" | "lines" | "description"> & { intent: string; publicUrl: string },
): Invoice {
  const id = newId("in");
  draftInvoice(store, {
    ...draft,
    id,
    reason: "manual",
    collectionMethod: "charge_automatically",
    daysUntilDue: null,
    subscription: null,
    metadata: {},
    autoAdvance: false,
  });
  const { total } = store.get("invoice", id);
  // It does not use the customer's credit.
  const paid = { amount_due: total, amount_paid: total, amount_remaining: 0, starting_balance: 0, ending_balance: 0 };
  store.note("invoice", id, { paymentIntent: intent });
  store.update("invoice", id, (invoice) => Object.assign(invoice, { ...makeOpen(store, invoice, publicUrl), ...paid }), "invoice.finalized");
  markPaid(store, id);
  return store.get("invoice", id);
}

/** Fields of a final invoice: its number and its page. */
function makeOpen(store: Store, { id, customer, status_transitions }: Invoice, publicUrl: string): Partial<Invoice> {
  const now = store.seconds();
  const { id: owner, invoice_prefix: prefix } = store.get("customer", idOf(customer) ?? "");
  return {
    status: "open",
    effective_at: now,
    automatically_finalizes_at: null,
    number: `${prefix}-${String(nextNumber(store, owner)).padStart(4, "0")}`,
    status_transitions: { ...status_transitions, finalized_at: now },
    hosted_invoice_url: `${publicUrl}/invoice/${id}`,
    invoice_pdf: null,
  };
}

/** Negative: a credit. */
function setBalance(store: Store, customer: Stripe.Customer, balance: number): void {
  store.update("customer", customer.id, (draft) => Object.assign(draft, { balance }), "customer.updated");
}

function nextNumber(store: Store, customerId: string): number {
  const { next_invoice_sequence: number = 1 } = store.get("customer", customerId);
  store.update("customer", customerId, (draft) => Object.assign(draft, { next_invoice_sequence: number + 1 }));
  return number;
}

/**
 * Tries to collect the amount of an open invoice.
 * @param method null if the customer has no card
 */
export function collect(
  store: Store,
  invoiceId: string,
  method: string | null,
  how: { isFirst: boolean; settlesAfterMs: number },
): Attempt["result"] {
  const invoice = store.get("invoice", invoiceId);
  if (invoice.status !== "open") return "paid";
  if (invoice.amount_remaining === 0) {
    markPaid(store, invoiceId);
    return "paid";
  }
  const intent = intentFor(store, invoice);
  if (method === null) {
    markFailed(store, invoiceId, how.isFirst);
    return "declined";
  }
  const { result } = attempt(store, intent.id, method, how);
  if (result === "paid") markPaid(store, invoiceId);
  if (result === "declined") markFailed(store, invoiceId, how.isFirst);
  return result;
}

const PURPOSES: Record<string, string> = {
  manual: "Payment for Invoice",
  subscription_create: "Subscription creation",
};

/** The payment of an invoice; created when it becomes payable. */
export function intentFor(store: Store, invoice: Invoice): Stripe.PaymentIntent {
  const { paymentIntent } = store.notes("invoice", invoice.id);
  if (paymentIntent) return store.get("payment_intent", paymentIntent);
  const intent = openIntent(store, {
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: PURPOSES[invoice.billing_reason ?? "manual"] ?? "Subscription update",
    offSession: invoice.parent !== null,
  });
  store.note("payment_intent", intent.id, { invoice: invoice.id });
  store.note("invoice", invoice.id, { paymentIntent: intent.id });
  return intent;
}

export function markPaid(store: Store, invoiceId: string): void {
  store.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { status: "paid", amount_paid: draft.amount_due, amount_remaining: 0, attempted: true });
      Object.assign(draft, { attempt_count: draft.attempt_count + 1, next_payment_attempt: null, auto_advance: false });
      draft.status_transitions.paid_at = store.seconds();
    },
    "invoice.paid",
  );
  store.emit("invoice.payment_succeeded", store.get("invoice", invoiceId));
}

export function markFailed(store: Store, invoiceId: string, isFirst: boolean): void {
  store.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { attempted: true, attempt_count: draft.attempt_count + 1 });
      if (!isFirst) draft.next_payment_attempt = store.seconds() + RETRY_SECONDS;
    },
    "invoice.payment_failed",
  );
}

/** The customer no longer has to pay it. */
export function voidInvoice(store: Store, invoiceId: string): void {
  if (store.get("invoice", invoiceId).status !== "open") return;
  const { paymentIntent } = store.notes("invoice", invoiceId);
  store.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { status: "void", next_payment_attempt: null, auto_advance: false });
      draft.status_transitions.voided_at = store.seconds();
    },
    "invoice.voided",
  );
  if (!paymentIntent) return;
  const canceled = { status: "canceled", canceled_at: store.seconds(), cancellation_reason: "void_invoice" };
  store.update("payment_intent", paymentIntent, (draft) => Object.assign(draft, canceled), "payment_intent.canceled");
}

/** Newest first. */
export function invoicesOf(store: Store, { id, customer }: Stripe.Subscription): Invoice[] {
  return store
    .ofCustomer("invoice", idOf(customer) ?? "")
    .filter((invoice) => invoice.parent?.subscription_details?.subscription === id);
}
