import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";

/** Line items of a checkout session. */
export function lineItemsOf(store: Store, sessionId: string): Stripe.LineItem[] {
  const { lines = [] } = store.notes("checkout.session", sessionId);
  return lines.map(({ id, price, quantity, amount, currency, description }) => ({
    id,
    object: "item",
    amount_discount: 0,
    amount_subtotal: amount * quantity,
    amount_tax: 0,
    amount_total: amount * quantity,
    currency,
    description,
    price: store.get("price", price),
    quantity,
  }));
}
