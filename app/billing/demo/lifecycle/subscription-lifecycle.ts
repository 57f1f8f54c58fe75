import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { GENERIC_DECLINE } from "~/billing/demo/objects/cards";
import { collect, intentFor, invoicesOf, issueInvoice, markFailed, markPaid, sendOut, voidInvoice } from "~/billing/demo/objects/invoices";
import { newId } from "~/billing/demo/protocol/identifier";
import type { Line } from "~/billing/demo/objects/invoice-lines";
import { idOf } from "~/billing/demo/store/objects";
import { addCard } from "~/billing/demo/objects/payment-methods";
import { decline, succeed } from "~/billing/demo/objects/payments";
import { addInterval } from "~/billing/demo/objects/period";
import { isOver } from "~/billing/demo/objects/subscription-states";
import { itemOf, periodLine } from "~/billing/demo/objects/subscriptions";

export interface LifecycleOptions {
  store: Store;
  publicUrl: string;
  settlesAfterMs: number;
}

/** Result of the payment of a renewal; `declined` overrides the card. */
export type Outcome = "as the card says" | "declined";

export type SubscriptionLifecycle = ReturnType<typeof createSubscriptionLifecycle>;

/** Lifecycle of a subscription: invoices, payments, and the states that follow from them. */
export function createSubscriptionLifecycle({ store, publicUrl, settlesAfterMs }: LifecycleOptions) {
  return { firstInvoice, invoiceNow, sendDrafts, renew, recover, payInvoice, settled, giveUp, cancel, pause, resume, expire, setStatus };

  /**
   * Creates the first invoice and collects it.
   * @param method null if no payment is due yet
   */
  function firstInvoice(id: string, method: string | null): "paid" | "pending" | "declined" | "open" | "draft" {
    const subscription = store.get("subscription", id);
    const lines = [periodLine(store, subscription)];
    const invoice = invoiceNow(subscription, "subscription_create", lines, idOf(subscription.latest_invoice));
    if (invoice.status === "draft") return "draft";
    if (method === null && invoice.amount_remaining > 0) {
      intentFor(store, invoice);
      return "open";
    }
    const result = collect(store, invoice.id, method, { isFirst: true, settlesAfterMs });
    if (result === "paid") reactivate(id);
    return result;
  }

  /** @param named id of the invoice that the subscription already refers to */
  function invoiceNow(subscription: Stripe.Subscription, reason: Reason, lines: Line[], named: string | null = null) {
    const id = named ?? newId("in");
    const invoice = issueInvoice(store, { id, subscription, reason, lines, publicUrl });
    const event = "customer.subscription.updated";
    store.update("subscription", subscription.id, (draft) => void (draft.latest_invoice = id), event);
    return invoice;
  }

  /** Sends out all drafts. */
  function sendDrafts(id: string): void {
    for (const invoice of invoicesOf(store, store.get("subscription", id))) {
      if (invoice.status === "draft" && sendOut(store, invoice.id, publicUrl).status === "paid") reactivate(id);
    }
  }

  /** Begins the next period now, with its invoice. With `cancel_at_period_end`, the subscription ends instead. */
  function renew(id: string, outcome: Outcome = "as the card says"): void {
    const before = store.get("subscription", id);
    if (isOver(before) || before.status === "incomplete" || before.status === "paused") return;
    if (before.cancel_at_period_end) return cancel(id, "cancellation_requested");
    const wasUnpaid = before.status === "unpaid";
    // While collection is paused, periods pass without a payment.
    const invoiceId = before.pause_collection ? null : newId("in");
    const subscription = store.update(
      "subscription",
      id,
      (draft) => {
        const item = itemOf(draft);
        const start = Math.max(store.seconds(), item.current_period_start + 1);
        item.current_period_start = start;
        item.current_period_end = addInterval(start, item.price);
        draft.billing_cycle_anchor = start;
        if (draft.status === "trialing") draft.status = "active";
        if (invoiceId) draft.latest_invoice = invoiceId;
      },
      "customer.subscription.updated",
    );
    if (!invoiceId) return;
    const { pending = [] } = store.notes("subscription", id);
    const line = periodLine(store, subscription);
    const lines = [line, ...pending.map((each) => ({ ...line, ...each, quantity: 1, proration: true }))];
    store.note("subscription", id, { pending: [] });
    const invoice = invoiceNow(subscription, "subscription_cycle", lines, invoiceId);
    if (invoice.status === "draft" || wasUnpaid) return;
    charge(subscription, invoice.id, outcome);
  }

  /** The open payments succeed now, with any card. */
  function recover(id: string): void {
    const subscription = store.get("subscription", id);
    const method = methodOf(subscription) ?? goodCard(subscription);
    const open = invoicesOf(store, subscription).filter(({ status }) => status === "open");
    for (const invoice of open.reverse()) {
      if (invoice.amount_remaining > 0) succeed(store, intentFor(store, invoice).id, method);
      markPaid(store, invoice.id);
    }
    reactivate(id);
  }

  function goodCard({ customer }: Stripe.Subscription): string {
    const year = new Date(store.now()).getUTCFullYear() + 5;
    const card = { last4: "4242", month: 12, year, outcome: "succeeds" } as const;
    return addCard(store, { ...card, customer: idOf(customer), email: null }).id;
  }

  /** Payment of an open invoice with a newly typed card. */
  function payInvoice(invoiceId: string, method: string): "paid" | "pending" | "declined" {
    const result = collect(store, invoiceId, method, { isFirst: true, settlesAfterMs });
    const { parent } = store.get("invoice", invoiceId);
    const id = parent?.subscription_details?.subscription;
    if (result === "paid" && typeof id === "string") reactivate(id);
    return result;
  }

  function charge(subscription: Stripe.Subscription, invoiceId: string, outcome: Outcome): void {
    const method = methodOf(subscription);
    const result =
      outcome === "declined" && method
        ? refuse(invoiceId, method)
        : collect(store, invoiceId, method, { isFirst: false, settlesAfterMs });
    if (result === "paid") reactivate(subscription.id);
    if (result === "declined") setStatus(subscription.id, "past_due");
  }

  function refuse(invoiceId: string, method: string): "declined" {
    decline(store, intentFor(store, store.get("invoice", invoiceId)).id, method, GENERIC_DECLINE);
    markFailed(store, invoiceId, false);
    return "declined";
  }

  function methodOf({ default_payment_method: method, customer }: Stripe.Subscription): string | null {
    const { invoice_settings: settings } = store.get("customer", idOf(customer) ?? "");
    return idOf(method) ?? idOf(settings.default_payment_method);
  }

  /** Result of a pending payment. */
  function settled(invoiceId: string, succeeded: boolean): void {
    const invoice = store.get("invoice", invoiceId);
    const id = invoice.parent?.subscription_details?.subscription;
    const subscription = typeof id === "string" ? store.find("subscription", id) : undefined;
    if (succeeded) markPaid(store, invoiceId);
    else markFailed(store, invoiceId, subscription?.status === "incomplete");
    if (!subscription) return;
    if (succeeded) reactivate(subscription.id);
    else if (subscription.status !== "incomplete") setStatus(subscription.id, "past_due");
  }

  /** Only the newest invoice counts for the state, not older ones. */
  function reactivate(id: string): void {
    const { status, latest_invoice: latest } = store.get("subscription", id);
    const invoice = store.find("invoice", idOf(latest) ?? "");
    if (invoice?.status === "open") return;
    if (status === "incomplete" || status === "past_due" || status === "unpaid") setStatus(id, "active");
  }

  /** All attempts to collect failed. */
  function giveUp(id: string): void {
    if (store.get("subscription", id).status === "past_due") setStatus(id, "unpaid");
  }

  /** Ends it at once. */
  function cancel(id: string, reason: Stripe.Subscription.CancellationDetails.Reason): void {
    const subscription = store.get("subscription", id);
    if (isOver(subscription)) return;
    const now = store.seconds();
    store.update(
      "subscription",
      id,
      (draft) => {
        Object.assign(draft, { status: "canceled", ended_at: now });
        draft.canceled_at ??= now;
        draft.cancellation_details = { comment: null, feedback: null, ...draft.cancellation_details, reason };
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

  function pause(id: string): void {
    if (isOver(store.get("subscription", id))) return;
    setStatus(id, "paused", "customer.subscription.paused");
  }

  /** Begins a new period with a payment. */
  function resume(id: string): void {
    if (store.get("subscription", id).status !== "paused") return;
    setStatus(id, "active", "customer.subscription.resumed");
    renew(id);
  }

  /** The first payment was too late. */
  function expire(id: string): void {
    const subscription = store.get("subscription", id);
    if (subscription.status !== "incomplete") return;
    setStatus(id, "incomplete_expired");
    for (const invoice of invoicesOf(store, subscription)) voidInvoice(store, invoice.id);
  }

  function setStatus(
    id: string,
    status: Stripe.Subscription.Status,
    event: StateEvent = "customer.subscription.updated",
  ): void {
    store.update("subscription", id, (draft) => Object.assign(draft, { status }), event);
  }
}

type Reason = "subscription_create" | "subscription_cycle" | "subscription_update";
type StateEvent = "customer.subscription.updated" | "customer.subscription.paused" | "customer.subscription.resumed";
