import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import type { Objects } from "~/billing/demo/store/objects";

type Subscription = Objects["subscription"];

/** Line of an invoice; times in Unix seconds, amount in the smallest unit of the currency. */
export interface Line {
  amount: number;
  description: string;
  price: string;
  product: string;
  /** Item of the subscription, or of the invoice. */
  item: string;
  start: number;
  end: number;
  /** Whether it is for a change of plan within a period. */
  proration?: boolean;
}

interface Context {
  invoice: string;
  currency: string;
  /** Null for an invoice without a subscription. */
  subscription: Subscription | null;
}

export function invoiceLine(line: Line, { invoice, currency, subscription }: Context): Stripe.InvoiceLineItem {
  const proration = line.proration ?? false;
  const details = { proration, proration_details: { credited_items: null } };
  return {
    id: newId("il"),
    object: "line_item",
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription?.metadata ?? {},
    parent: subscription
      ? {
          invoice_item_details: null,
          subscription_item_details: {
            ...details,
            invoice_item: null,
            subscription: subscription.id,
            subscription_item: line.item,
          },
          type: "subscription_item_details",
        }
      : {
          invoice_item_details: { ...details, invoice_item: line.item, subscription: null },
          subscription_item_details: null,
          type: "invoice_item_details",
        },
    period: { start: line.start, end: line.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: line.price, product: line.product },
      type: "price_details",
      unit_amount_decimal: String(line.amount),
    },
    quantity: 1,
    subscription: subscription?.id ?? null,
    taxes: [],
  };
}
