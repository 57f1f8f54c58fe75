import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import { GENERIC_DECLINE } from "~/billing/demo/objects/cards";
import type { Line } from "~/billing/demo/objects/invoice-lines";
import {
  collect,
  intentFor,
  invoicesOf,
  issueInvoice,
  markFailed,
  markPaid,
  sendOut,
  subscriptionIdOf,
  voidInvoice,
  type NewInvoice,
} from "~/billing/demo/objects/invoices";
import { addTestCard } from "~/billing/demo/objects/payment-methods";
import { decline, succeed } from "~/billing/demo/objects/payments";
import { addInterval } from "~/billing/demo/objects/period";
import { isOver, isRunning, itemOf, periodLine, type Subscription } from "~/billing/demo/objects/subscriptions";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";

// Lifecycle of a subscription: invoices, payments, and the states that follow from them.

/** Creates the first invoice; collects it immediately, unless it is sent. */
export function firstInvoice(store: Store, id: string): "paid" | "pending" | "declined" | "draft" {
  const subscription = store.get("subscription", id);
  const lines = [periodLine(store, subscription)];
  const invoice = invoiceNow(store, subscription, "subscription_create", lines, subscription.latest_invoice);
  if (invoice.status === "draft") return "draft";
  const result = collect(store, invoice.id, cardOf(store, subscription), true);
  if (result === "paid") reactivate(store, id);
  return result;
}

/** @param id id of the invoice, if the subscription already refers to it */
export function invoiceNow(
  store: Store,
  subscription: Subscription,
  reason: NewInvoice["reason"],
  lines: Line[],
  id = newId("in"),
): Objects["invoice"] {
  const invoice = issueInvoice(store, { id, subscription, reason, lines });
  const event = "customer.subscription.updated";
  store.update("subscription", subscription.id, (draft) => void (draft.latest_invoice = id), event);
  return invoice;
}

/** Sends out all drafts. */
export function sendDrafts(store: Store, id: string): void {
  for (const invoice of invoicesOf(store, store.get("subscription", id))) {
    if (invoice.status === "draft" && sendOut(store, invoice.id).status === "paid") reactivate(store, id);
  }
}

/**
 * Begins the next period now, with its invoice. With `cancel_at_period_end`, the subscription ends instead.
 * @param isDeclined whether the payment fails, whatever the card
 */
export function renew(store: Store, id: string, isDeclined = false): void {
  const before = store.get("subscription", id);
  if (!isRunning(before)) return;
  if (before.cancel_at_period_end) return cancel(store, id);
  const invoiceId = newId("in");
  const subscription = store.update(
    "subscription",
    id,
    (draft) => {
      const item = itemOf(draft);
      const start = Math.max(store.seconds(), item.current_period_start + 1);
      item.current_period_start = start;
      item.current_period_end = addInterval(start, item.price);
      draft.billing_cycle_anchor = start;
      draft.latest_invoice = invoiceId;
    },
    "customer.subscription.updated",
  );
  const invoice = invoiceNow(store, subscription, "subscription_cycle", [periodLine(store, subscription)], invoiceId);
  if (invoice.status === "draft" || before.status === "unpaid") return;
  const method = cardOf(store, subscription);
  if (isDeclined) {
    decline(store, intentFor(store, invoice).id, method, GENERIC_DECLINE);
    markFailed(store, invoice.id);
  }
  const result = isDeclined ? "declined" : collect(store, invoice.id, method, false);
  if (result === "paid") reactivate(store, id);
  if (result === "declined") setStatus(store, id, "past_due");
}

/** Pays the open invoices, with any card. */
export function recover(store: Store, id: string): void {
  const subscription = store.get("subscription", id);
  const method = cardOf(store, subscription);
  const open = invoicesOf(store, subscription).filter(({ status }) => status === "open");
  for (const invoice of open.reverse()) {
    if (invoice.amount_remaining > 0) succeed(store, intentFor(store, invoice).id, method);
    markPaid(store, invoice.id);
  }
  reactivate(store, id);
}

/** Card to charge; a new one if there is none, for example for a subscription that is paid by invoice. */
export function cardOf(store: Store, { default_payment_method: method, customer }: Subscription): string {
  return method ?? addTestCard(store, customer, "succeeds");
}

/** Payment of an open invoice with a newly typed card. */
export function payInvoice(store: Store, invoiceId: string, method: string): "paid" | "pending" | "declined" {
  const result = collect(store, invoiceId, method, true);
  const id = subscriptionIdOf(store.get("invoice", invoiceId));
  if (result === "paid" && id !== null) reactivate(store, id);
  return result;
}

/** Stores the result of a pending payment. */
export function settled(store: Store, invoiceId: string, succeeded: boolean): void {
  if (succeeded) markPaid(store, invoiceId);
  else markFailed(store, invoiceId);
  const id = subscriptionIdOf(store.get("invoice", invoiceId));
  if (id === null) return;
  if (succeeded) reactivate(store, id);
  else if (store.get("subscription", id).status !== "incomplete") setStatus(store, id, "past_due");
}

/** Reactivates a subscription if its newest invoice is paid; older ones do not count. */
function reactivate(store: Store, id: string): void {
  const { status, latest_invoice: latest } = store.get("subscription", id);
  if (store.find("invoice", latest)?.status === "open") return;
  if (status === "incomplete" || status === "past_due" || status === "unpaid") setStatus(store, id, "active");
}

/** Sets whether the subscription ends with its period. */
export function endWithPeriod(store: Store, id: string, ends: boolean): void {
  store.update(
    "subscription",
    id,
    (draft) => {
      if (draft.cancel_at_period_end === ends) return;
      draft.cancel_at_period_end = ends;
      draft.cancel_at = ends ? itemOf(draft).current_period_end : null;
      draft.canceled_at = ends ? store.seconds() : null;
      draft.cancellation_details = { comment: null, feedback: null, reason: ends ? "cancellation_requested" : null };
    },
    "customer.subscription.updated",
  );
}

/** Ends the subscription immediately. */
export function cancel(store: Store, id: string): void {
  const subscription = store.get("subscription", id);
  if (isOver(subscription)) return;
  store.update(
    "subscription",
    id,
    (draft) => {
      Object.assign(draft, { status: "canceled", ended_at: store.seconds() });
      draft.canceled_at ??= store.seconds();
      draft.cancellation_details = { comment: null, feedback: null, reason: "cancellation_requested" };
    },
    "customer.subscription.deleted",
  );
  for (const invoice of invoicesOf(store, subscription)) {
    if (invoice.status === "open" || invoice.status === "draft") {
      const stays = { auto_advance: false, automatically_finalizes_at: null };
      store.update("invoice", invoice.id, (draft) => Object.assign(draft, stays));
    }
    if (subscription.status === "incomplete") voidInvoice(store, invoice.id);
  }
}

/** Begins a new period with a payment. */
export function resume(store: Store, id: string): void {
  setStatus(store, id, "active", "customer.subscription.resumed");
  renew(store, id);
}

/** Ends the subscription: the first payment was too late. */
export function expire(store: Store, id: string): void {
  setStatus(store, id, "incomplete_expired");
  for (const invoice of invoicesOf(store, store.get("subscription", id))) voidInvoice(store, invoice.id);
}

type StateEvent = "customer.subscription.updated" | "customer.subscription.paused" | "customer.subscription.resumed";

export function setStatus(
  store: Store,
  id: string,
  status: Stripe.Subscription.Status,
  event: StateEvent = "customer.subscription.updated",
): void {
  store.update("subscription", id, (draft) => void (draft.status = status), event);
}
