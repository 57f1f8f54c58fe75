import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { amountIn } from "./catalogue";
import { missing, unusable } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import type { Line } from "./invoice-lines";
import { idOf } from "~/billing/demo/store/objects";
import * as take from "~/billing/demo/protocol/parameters";
import { addInterval } from "./period";
import { mustShareCurrency } from "./subscription-states";

const cancellationDetails = z.strictObject({
  comment: take.clearable.optional(),
  feedback: z
    .enum([
      ...["customer_service", "low_quality", "missing_features", "other"],
      ...["switched_service", "too_complex", "too_expensive", "unused"],
    ] as const)
    .or(z.literal("").transform(() => null))
    .optional(),
});

const proration = z.enum(["always_invoice", "create_prorations", "none"]).optional();

export const newSubscription = z.strictObject({
  customer: take.text,
  items: z.array(z.strictObject({ price: take.text, quantity: take.integerFrom(0).optional() })).min(1).max(1),
  currency: take.currency.optional(),
  collection_method: z.enum(["charge_automatically", "send_invoice"]).default("charge_automatically"),
  days_until_due: take.integerFrom(0).optional(),
  default_payment_method: take.text.optional(),
  payment_behavior: z
    .enum(["allow_incomplete", "default_incomplete", "error_if_incomplete"])
    .default("allow_incomplete"),
  cancel_at_period_end: take.truth.optional(),
  trial_period_days: take.integerFrom(0, 730).optional(),
  description: take.clearable.optional(),
  metadata: take.metadata.optional(),
  expand: take.expand,
});

export const changedSubscription = z.strictObject({
  items: z
    .array(
      z.strictObject({ id: take.text.optional(), price: take.text.optional(), quantity: take.integerFrom(0).optional() }),
    )
    .max(1)
    .optional(),
  cancel_at_period_end: take.truth.optional(),
  cancellation_details: cancellationDetails.optional(),
  collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
  days_until_due: take.integerFrom(0).optional(),
  default_payment_method: take.text.optional(),
  description: take.clearable.optional(),
  metadata: take.metadata.optional(),
  pause_collection: z
    .literal("")
    .or(
      z.strictObject({
        behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]),
        resumes_at: take.integer.optional(),
      }),
    )
    .optional(),
  proration_behavior: proration,
  expand: take.expand,
});

export const canceledSubscription = z.strictObject({
  cancellation_details: cancellationDetails.optional(),
  invoice_now: take.truth.optional(),
  prorate: take.truth.optional(),
  expand: take.expand,
});

export const subscriptionList = z.strictObject({
  ...take.paging,
  customer: take.text.optional(),
  price: take.text.optional(),
  status: z
    .enum([
      ...["active", "all", "canceled", "ended", "incomplete"],
      ...["incomplete_expired", "past_due", "paused", "trialing", "unpaid"],
    ] as const)
    .optional(),
  collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
  created: take.timeFilter.optional(),
});

export interface Plan {
  customer: string;
  price: string;
  quantity: number;
  currency?: string;
  collectionMethod: "charge_automatically" | "send_invoice";
  daysUntilDue: number | null;
  paymentMethod: string | null;
  trialDays: number;
  description: string | null;
  metadata: Record<string, string>;
}

/** Stores a subscription; its first invoice does not exist yet. */
export function openSubscription(store: Store, plan: Plan): Stripe.Subscription {
  const price = recurringPrice(store, plan.price, "items[0][price]");
  const currency = plan.currency ?? price.currency;
  mustShareCurrency(store, plan.customer, currency);
  const id = newId("sub");
  const now = store.seconds();
  const trialEnd = plan.trialDays > 0 ? now + plan.trialDays * 86_400 : null;
  const status = trialEnd ? "trialing" : plan.collectionMethod === "send_invoice" ? "active" : "incomplete";
  return store.create(
    "subscription",
    {
      id,
      object: "subscription",
      application: null,
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: trialEnd ?? now,
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
      description: plan.description,
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
            current_period_end: trialEnd ?? addInterval(now, price),
            current_period_start: now,
            discounts: [],
            metadata: {},
            plan: planOf(price, currency, store),
            price,
            quantity: plan.quantity,
            subscription: id,
            tax_rates: [],
          },
        ],
        has_more: false,
        url: `/v1/subscription_items?subscription=${id}`,
      },
      // The id of the first invoice, created next.
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
      status,
      test_clock: null,
      transfer_data: null,
      trial_end: trialEnd,
      trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } },
      trial_start: trialEnd ? now : null,
    },
    {},
    "customer.subscription.created",
  );
}

/** @throws {StripeError} 400 if the price does not exist, is inactive, or is a one-time price */
export function recurringPrice(store: Store, id: string, param: string): Stripe.Price {
  const price = store.find("price", id);
  if (!price) throw missing("price", id, param);
  if (!price.active) throw unusable("The price specified is inactive. This field only accepts active prices.", { param });
  if (price.type === "recurring") return price;
  const message = "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.";
  throw unusable(message, { param });
}

/** Stripe's older form of a price; the item still has both. */
export function planOf(price: Stripe.Price, currency: string, store: Store): Stripe.Plan {
  const amount = amountIn(store, price, currency, "currency");
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
    product: idOf(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

/** The only item of a subscription. */
export function itemOf({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`${id} has no item`);
  return item;
}

/** Invoice line for one period of a subscription. */
export function periodLine(store: Store, subscription: Stripe.Subscription): Line {
  const item = itemOf(subscription);
  const product = idOf(item.price.product) ?? "";
  const name = store.find("product", product)?.name ?? product;
  const isTrial = subscription.status === "trialing";
  return {
    amount: isTrial ? 0 : (item.plan.amount ?? 0),
    quantity: item.quantity ?? 1,
    description: isTrial ? `Trial period for ${name}` : `${item.quantity ?? 1} × ${name}`,
    price: item.price.id,
    product,
    item: item.id,
    start: item.current_period_start,
    end: item.current_period_end,
  };
}
