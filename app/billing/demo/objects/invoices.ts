import { newId } from "~/billing/demo/protocol/identifier";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { draftInvoice, sumsOf, type Draft } from "./invoice-draft";
import { attempt, openIntent, type Attempt } from "./payments";
import { HOUR_SECONDS } from "~/platform/durations";

type Invoice = Objects["invoice"];
type Subscription = Objects["subscription"];

/** Time before a draft becomes final: https://docs.stripe.com/invoicing/integration/automatic-advancement-collection */
const DRAFT_SECONDS = HOUR_SECONDS;

export interface NewInvoice extends Pick<Draft, "id" | "lines"> {
  subscription: Subscription;
  reason: Exclude<Draft["reason"], "manual">;
}

/** Creates an invoice for a subscription and makes it final; with `send_invoice` it stays a draft for an hour. */
export function issueInvoice(store: Store, { subscription, ...invoice }: NewInvoice): Invoice {
  draftInvoice(store, {
    ...invoice,
    subscription,
    customer: subscription.customer,
    currency: subscription.currency,
    collectionMethod: subscription.collection_method,
    daysUntilDue: subscription.days_until_due,
    metadata: {},
  });
  if (subscription.collection_method !== "send_invoice") return finalizeInvoice(store, invoice.id);
  return store.update("invoice", invoice.id, (draft) => {
    draft.automatically_finalizes_at = store.seconds() + DRAFT_SECONDS;
  });
}

/** Makes a draft final, for payment by hand; if nothing remains to pay, it is marked as paid. */
export function sendOut(store: Store, id: string): Invoice {
  const invoice = finalizeInvoice(store, id);
  if (invoice.amount_remaining > 0) intentFor(store, invoice);
  else markPaid(store, id);
  return store.get("invoice", id);
}

/** Makes a draft final: it gets a number and a page, and the customer's credit is subtracted. */
function finalizeInvoice(store: Store, id: string): Invoice {
  const { total, customer } = store.get("invoice", id);
  const sums = sumsOf(total, store.get("customer", customer).balance);
  // Negative: a credit.
  const balance = sums.starting_balance - (sums.amount_due - total);
  store.update("customer", customer, (draft) => void (draft.balance = balance), "customer.updated");
  return store.update(
    "invoice",
    id,
    (draft) => Object.assign(draft, { ...sums, ...makeOpen(store, draft), ending_balance: balance }),
    "invoice.finalized",
  );
}

/** Creates an invoice for a payment already made at a checkout: nothing is due. @returns its id */
export function issuePaidInvoice(store: Store, intent: string, draft: Pick<Draft, "customer" | "currency" | "lines" | "description">): string {
  const id = newId("in");
  draftInvoice(store, {
    ...draft,
    id,
    reason: "manual",
    collectionMethod: "charge_automatically",
    daysUntilDue: null,
    subscription: null,
    metadata: {},
  });
  const { total } = store.get("invoice", id);
  // The customer's credit is not used.
  const paid = { amount_due: total, amount_paid: total, amount_remaining: 0, starting_balance: 0, ending_balance: 0 };
  store.note("invoice", id, { paymentIntent: intent });
  store.update("invoice", id, (invoice) => Object.assign(invoice, { ...makeOpen(store, invoice), ...paid }), "invoice.finalized");
  markPaid(store, id);
  return id;
}

/** Fields of a final invoice: its number and its page. */
function makeOpen(store: Store, { id, customer, status_transitions }: Invoice): Partial<Invoice> {
  const now = store.seconds();
  const { invoice_prefix: prefix, next_invoice_sequence: number = 1 } = store.get("customer", customer);
  store.update("customer", customer, (draft) => void (draft.next_invoice_sequence = number + 1));
  return {
    status: "open",
    effective_at: now,
    automatically_finalizes_at: null,
    number: `${prefix}-${String(number).padStart(4, "0")}`,
    status_transitions: { ...status_transitions, finalized_at: now },
    hosted_invoice_url: store.urlOf("invoice", id),
    invoice_pdf: null,
  };
}

/** Tries to collect the amount of an open invoice. @param isFirst whether the payer is present; false for a renewal */
export function collect(store: Store, invoiceId: string, method: string, isFirst: boolean): Attempt["result"] {
  const invoice = store.get("invoice", invoiceId);
  if (invoice.status !== "open") return "paid";
  if (invoice.amount_remaining === 0) {
    markPaid(store, invoiceId);
    return "paid";
  }
  const { result } = attempt(store, intentFor(store, invoice).id, method, isFirst);
  if (result === "paid") markPaid(store, invoiceId);
  if (result === "declined") markFailed(store, invoiceId);
  return result;
}

const PURPOSES: Record<string, string> = {
  manual: "Payment for Invoice",
  subscription_create: "Subscription creation",
};

/** Payment of an invoice; created when it becomes payable. */
export function intentFor(store: Store, invoice: Invoice): Objects["payment_intent"] {
  const existing = paymentOf(store, invoice.id);
  if (existing) return existing;
  const intent = openIntent(store, {
    amount: invoice.amount_remaining,
    currency: invoice.currency,
    customer: invoice.customer,
    description: PURPOSES[invoice.billing_reason ?? "manual"] ?? "Subscription update",
    offSession: invoice.parent !== null,
  });
  store.note("payment_intent", intent.id, { invoice: invoice.id });
  store.note("invoice", invoice.id, { paymentIntent: intent.id });
  return intent;
}

/** The payment of an invoice, if it has one. */
export function paymentOf(store: Store, invoiceId: string): Objects["payment_intent"] | undefined {
  const { paymentIntent } = store.notes("invoice", invoiceId);
  return paymentIntent === undefined ? undefined : store.get("payment_intent", paymentIntent);
}

export function markPaid(store: Store, invoiceId: string): void {
  const paid = store.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { status: "paid", amount_paid: draft.amount_due, amount_remaining: 0, attempted: true });
      Object.assign(draft, { attempt_count: draft.attempt_count + 1, auto_advance: false });
      draft.status_transitions.paid_at = store.seconds();
    },
    "invoice.paid",
  );
  store.emit("invoice.payment_succeeded", paid);
}

export function markFailed(store: Store, invoiceId: string): void {
  store.update(
    "invoice",
    invoiceId,
    (draft) => Object.assign(draft, { attempted: true, attempt_count: draft.attempt_count + 1 }),
    "invoice.payment_failed",
  );
}

/** Voids an invoice: nothing is due any more. */
export function voidInvoice(store: Store, invoiceId: string): void {
  if (store.get("invoice", invoiceId).status !== "open") return;
  store.update(
    "invoice",
    invoiceId,
    (draft) => {
      Object.assign(draft, { status: "void", auto_advance: false });
      draft.status_transitions.voided_at = store.seconds();
    },
    "invoice.voided",
  );
  const intent = paymentOf(store, invoiceId);
  const canceled = { status: "canceled", canceled_at: store.seconds(), cancellation_reason: "void_invoice" };
  if (intent) store.update("payment_intent", intent.id, (draft) => Object.assign(draft, canceled), "payment_intent.canceled");
}

/** Subscription of an invoice; null for a single invoice. */
export function subscriptionIdOf({ parent }: Invoice): string | null {
  const { subscription = null } = parent?.subscription_details ?? {};
  return typeof subscription === "string" ? subscription : null;
}

/** Invoices of a subscription, newest first. */
export function invoicesOf(store: Store, { id, customer }: Subscription): Invoice[] {
  return store.ofCustomer("invoice", customer).filter((invoice) => subscriptionIdOf(invoice) === id);
}
