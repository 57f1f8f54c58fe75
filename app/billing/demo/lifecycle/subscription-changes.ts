import type { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { GENERIC_DECLINE } from "~/billing/demo/objects/cards";
import { findCustomer } from "~/billing/demo/objects/customers";
import { StripeError, missing, unusable } from "~/billing/demo/protocol/stripe-error";
import { collect } from "~/billing/demo/objects/invoices";
import { idOf } from "~/billing/demo/store/objects";
import { changeMetadata } from "~/billing/demo/protocol/parameters";
import { addInterval } from "~/billing/demo/objects/period";
import type { SubscriptionLifecycle } from "./subscription-lifecycle";
import { isOver } from "~/billing/demo/objects/subscription-states";
import {
  itemOf,
  openSubscription,
  periodLine,
  planOf,
  recurringPrice,
  type changedSubscription,
  type newSubscription,
} from "~/billing/demo/objects/subscriptions";

interface Tools {
  store: Store;
  life: SubscriptionLifecycle;
  settlesAfterMs: number;
}

/** @throws {StripeError} 400 if the parameters do not fit, 402 if the card is declined with `error_if_incomplete` */
export function createSubscription({ store, life }: Tools, fields: z.output<typeof newSubscription>): Stripe.Subscription {
  const customer = findCustomer(store, fields.customer);
  const [item] = fields.items;
  if (!item) throw unusable("Missing required param: items.", { code: "parameter_missing", param: "items" });
  const byInvoice = fields.collection_method === "send_invoice";
  if (byInvoice !== (fields.days_until_due !== undefined)) {
    const message = byInvoice
      ? "If you are sending an invoice you must set the number of days that it is due in."
      : "You can only set `days_until_due` when `collection_method` is `send_invoice`.";
    throw unusable(message, { param: "days_until_due" });
  }
  const method = fields.default_payment_method ?? idOf(customer.invoice_settings.default_payment_method);
  if (method && !store.find("payment_method", method)) throw missing("PaymentMethod", method, "default_payment_method");
  const paysLater = byInvoice || fields.payment_behavior === "default_incomplete" || Boolean(fields.trial_period_days);
  if (!method && !paysLater) {
    const message = "This customer has no attached payment source or default payment method.";
    throw unusable(message, { code: "resource_missing" });
  }
  const { id } = openSubscription(store, {
    customer: customer.id,
    price: item.price,
    quantity: item.quantity ?? 1,
    currency: fields.currency,
    collectionMethod: fields.collection_method,
    daysUntilDue: fields.days_until_due ?? null,
    paymentMethod: fields.default_payment_method ?? null,
    trialDays: fields.trial_period_days ?? 0,
    description: fields.description ?? null,
    metadata: changeMetadata({}, fields.metadata),
  });
  const result = life.firstInvoice(id, fields.payment_behavior === "default_incomplete" ? null : method);
  if (result === "declined" && fields.payment_behavior === "error_if_incomplete") {
    const { message, ...details } = GENERIC_DECLINE;
    throw new StripeError(402, "card_error", message, details);
  }
  if (fields.cancel_at_period_end) endWithPeriod(store, id, true);
  return store.get("subscription", id);
}

/** @throws {StripeError} 400 if the parameters do not fit; if it is over, only its metadata can change */
export function updateSubscription(
  tools: Tools,
  id: string,
  fields: z.output<typeof changedSubscription>,
): Stripe.Subscription {
  const { store } = tools;
  const subscription = store.get("subscription", id);
  const { metadata, expand: _expand, ...others } = fields;
  if (isOver(subscription) && Object.keys(others).length > 0) {
    throw unusable("A canceled subscription can only update its cancellation_details and metadata.");
  }
  const [item] = fields.items ?? [];
  if (item?.id !== undefined && item.id !== itemOf(subscription).id) {
    throw missing("subscription_item", item.id, "items[0][id]");
  }
  if (item && item.id === undefined) {
    throw unusable("The cashier changes the one item of a subscription; name it.", { param: "items[0][id]" });
  }
  store.update(
    "subscription",
    id,
    (draft) => {
      draft.metadata = changeMetadata(draft.metadata, metadata);
      if (fields.description !== undefined) draft.description = fields.description;
      if (fields.collection_method !== undefined) draft.collection_method = fields.collection_method;
      if (fields.days_until_due !== undefined) draft.days_until_due = fields.days_until_due;
      if (fields.default_payment_method !== undefined) draft.default_payment_method = fields.default_payment_method;
      if (fields.pause_collection !== undefined) draft.pause_collection = pauseOf(fields.pause_collection);
      if (fields.cancel_at_period_end !== undefined) setEnd(draft, fields.cancel_at_period_end, store.seconds());
      if (fields.cancellation_details) {
        const details = { comment: null, feedback: null, reason: null, ...draft.cancellation_details };
        draft.cancellation_details = { ...details, ...fields.cancellation_details };
      }
      if (item) setItem(store, draft, item);
    },
    "customer.subscription.updated",
  );
  if (item) prorate(tools, subscription, fields.proration_behavior ?? "create_prorations");
  return store.get("subscription", id);
}

/** Sets whether it ends with its period. */
export function endWithPeriod(store: Store, id: string, ends: boolean): void {
  store.update("subscription", id, (draft) => setEnd(draft, ends, store.seconds()), "customer.subscription.updated");
}

function setEnd(draft: Stripe.Subscription, ends: boolean, now: number): void {
  if (draft.cancel_at_period_end === ends) return;
  draft.cancel_at_period_end = ends;
  draft.cancel_at = ends ? itemOf(draft).current_period_end : null;
  draft.canceled_at = ends ? now : null;
  const reason = ends ? "cancellation_requested" : null;
  draft.cancellation_details = { comment: null, feedback: null, ...draft.cancellation_details, reason };
}

type Pause = z.output<typeof changedSubscription>["pause_collection"];

function pauseOf(pause: Exclude<Pause, undefined>): Stripe.Subscription.PauseCollection | null {
  return pause === "" ? null : { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null };
}

function setItem(store: Store, draft: Stripe.Subscription, change: { price?: string; quantity?: number }): void {
  const item = itemOf(draft);
  if (change.quantity !== undefined) item.quantity = change.quantity;
  if (change.price === undefined || change.price === item.price.id) return;
  const price = recurringPrice(store, change.price, "items[0][price]");
  const sameInterval = JSON.stringify(price.recurring) === JSON.stringify(item.price.recurring);
  item.price = price;
  item.plan = planOf(price, draft.currency, store);
  if (sameInterval) return;
  item.current_period_start = store.seconds();
  item.current_period_end = addInterval(item.current_period_start, price);
  draft.billing_cycle_anchor = item.current_period_start;
}

/** Charges the price difference for the rest of the period: now, with the next invoice, or not at all. */
function prorate(
  { store, life, settlesAfterMs }: Tools,
  before: Stripe.Subscription,
  behavior: "always_invoice" | "create_prorations" | "none",
): void {
  const after = store.get("subscription", before.id);
  const oldLine = periodLine(store, before);
  const newLine = periodLine(store, after);
  const left = Math.max(0, oldLine.end - store.seconds()) / Math.max(1, oldLine.end - oldLine.start);
  const share = ({ amount, quantity }: typeof oldLine) => Math.round(amount * quantity * left);
  if (behavior === "none" || share(newLine) === share(oldLine)) return;
  const pending = [
    { amount: -share(oldLine), description: `Unused time on ${oldLine.description}`, price: oldLine.price },
    { amount: share(newLine), description: `Remaining time on ${newLine.description}`, price: newLine.price },
  ];
  if (behavior === "create_prorations") {
    const { pending: earlier = [] } = store.notes("subscription", before.id);
    return store.note("subscription", before.id, { pending: [...earlier, ...pending] });
  }
  const lines = pending.map((each) => ({ ...newLine, ...each, start: store.seconds(), quantity: 1, proration: true }));
  const invoice = life.invoiceNow(after, "subscription_update", lines);
  if (invoice.status === "draft") return;
  const customer = store.get("customer", idOf(after.customer) ?? "");
  const method = idOf(after.default_payment_method) ?? idOf(customer.invoice_settings.default_payment_method);
  const result = collect(store, invoice.id, method, { isFirst: false, settlesAfterMs });
  if (result === "declined") life.setStatus(before.id, "past_due");
}
