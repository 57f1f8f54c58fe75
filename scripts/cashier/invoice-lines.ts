import type Stripe from "stripe";
import { newId } from "./identifier";

/** What an invoice asks for; times in Unix seconds, the amount of one in the smallest unit of the currency. */
export interface Line {
  amount: number;
  quantity: number;
  description: string;
  price: string;
  product: string;
  item: string;
  start: number;
  end: number;
  /** Of a change of plan within a period. */
  proration?: boolean;
}

export function invoiceLine(
  line: Line,
  { invoice, subscription }: { invoice: string; subscription: Stripe.Subscription },
): Stripe.InvoiceLineItem {
  const proration = line.proration ?? false;
  return {
    id: newId("il"),
    object: "line_item",
    amount: line.amount * line.quantity,
    currency: subscription.currency,
    description: line.description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: line.item,
      },
      type: "subscription_item_details",
    },
    period: { start: line.start, end: line.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: line.price, product: line.product },
      type: "price_details",
      unit_amount_decimal: String(line.amount),
    },
    quantity: line.quantity,
    subscription: subscription.id,
    taxes: [],
  };
}
