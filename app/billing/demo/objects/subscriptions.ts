import { z } from "zod";
import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import { invalidRequest } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { amountIn, priceOfType, productName } from "./catalogue";
import type { Line } from "./invoice-lines";
import { addInterval } from "./period";

export type Subscription = Objects["subscription"];

export const newSubscription = z.strictObject({
  customer: params.text,
  items: z.array(z.strictObject({ price: params.text })).length(1),
  currency: params.currency.optional(),
  collection_method: z.literal("send_invoice"),
  days_until_due: params.integer(0),
  metadata: params.metadata,
  expand: params.expand,
});

export const changedSubscription = z.strictObject({
  items: z.array(z.strictObject({ id: params.text, price: params.text })).length(1).optional(),
  metadata: params.metadata,
  proration_behavior: z.literal("always_invoice").optional(),
  expand: params.expand,
});

export const subscriptionList = z.strictObject({
  ...params.paging,
  customer: params.text.optional(),
  status: z.enum(["active", "all"]).optional(),
});

/** Whether the state is final. */
export const isOver = ({ status }: Pick<Subscription, "status">) => status === "canceled" || status === "incomplete_expired";

/** Whether each period is followed by a new one, with an invoice. */
export const isRunning = ({ status }: Pick<Subscription, "status">) => status === "active" || status === "past_due" || status === "unpaid";

/**
 * A customer's subscriptions share one currency until all of them are over.
 * @throws {StripeError} 400
 */
export function mustShareCurrency(store: Store, customer: string, currency: string): void {
  const other = store.ofCustomer("subscription", customer).find((each) => !isOver(each) && each.currency !== currency);
  if (!other) return;
  const message = `You cannot combine currencies on a single customer. This customer has an active subscription with currency ${other.currency}.`;
  throw invalidRequest(message, { param: "currency" });
}

export interface Plan {
  customer: string;
  price: string;
  currency?: string;
  collectionMethod: "charge_automatically" | "send_invoice";
  daysUntilDue: number | null;
  paymentMethod: string | null;
  metadata: Record<string, string>;
}

/** Stores a subscription; its first invoice does not exist yet. */
export function openSubscription(store: Store, plan: Plan): Subscription {
  const price = priceOfType(store, plan.price, "recurring", "items[0][price]");
  const currency = plan.currency ?? price.currency;
  mustShareCurrency(store, plan.customer, currency);
  const id = newId("sub");
  const now = store.seconds();
  return store.create(
    "subscription",
    {
      id,
      object: "subscription",
      application: null,
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: now,
      billing_cycle_anchor_config: null,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { comment: null, feedback: null, reason: null },
      collection_method: plan.collectionMethod,
      created: now,
      currency,
      customer: plan.customer,
      days_until_due: plan.daysUntilDue,
      default_payment_method: plan.paymentMethod,
      default_source: null,
      default_tax_rates: [],
      description: null,
      discounts: [],
      ended_at: null,
      invoice_settings: { account_tax_ids: null, issuer: { type: "self" } },
      items: {
        object: "list",
        data: [
          {
            id: newId("si"),
            object: "subscription_item",
            created: now,
            current_period_end: addInterval(now, price),
            current_period_start: now,
            discounts: [],
            metadata: {},
            plan: planOf(store, price, currency),
            price,
            quantity: 1,
            subscription: id,
            tax_rates: [],
          },
        ],
        has_more: false,
        url: `/v1/subscription_items?subscription=${id}`,
      },
      // Id of the first invoice, created next.
      latest_invoice: newId("in"),
      livemode: false,
      metadata: plan.metadata,
      next_pending_invoice_item_invoice: null,
      on_behalf_of: null,
      pause_collection: null,
      payment_settings: {
        payment_method_options: null,
        payment_method_types: null,
        save_default_payment_method: "off",
      },
      pending_invoice_item_interval: null,
      pending_setup_intent: null,
      pending_update: null,
      schedule: null,
      start_date: now,
      status: plan.collectionMethod === "send_invoice" ? "active" : "incomplete",
      test_clock: null,
      transfer_data: null,
      trial_end: null,
      trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } },
      trial_start: null,
    },
    {},
    "customer.subscription.created",
  );
}

/** Price in Stripe's older form; the item still has both. */
export function planOf(store: Store, price: Objects["price"], currency: string): Stripe.Plan {
  const amount = amountIn(store, price, currency);
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount,
    amount_decimal: String(amount),
    billing_scheme: "per_unit",
    created: price.created,
    currency,
    interval: price.recurring?.interval ?? "month",
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

/** Only item of a subscription. */
export function itemOf({ id, items }: Subscription): Stripe.SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`${id} has no item`);
  return item;
}

/** Invoice line for one period of a subscription. */
export function periodLine(store: Store, subscription: Subscription): Line {
  const item = itemOf(subscription);
  return {
    amount: item.plan.amount ?? 0,
    description: `1 × ${productName(store, item.price.id)}`,
    price: item.price.id,
    product: store.get("price", item.price.id).product,
    item: item.id,
    start: item.current_period_start,
    end: item.current_period_end,
  };
}
