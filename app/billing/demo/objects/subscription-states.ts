import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { unusable } from "~/billing/demo/protocol/stripe-error";

type Subscription = Pick<Stripe.Subscription, "status">;

/** A final state. */
export const isOver = ({ status }: Subscription) => status === "canceled" || status === "incomplete_expired";

/** After each period, a new one begins, with an invoice. */
export const isRunning = ({ status }: Subscription) =>
  status === "active" || status === "trialing" || status === "past_due" || status === "unpaid";

/**
 * A customer's subscriptions share one currency until all of them are over.
 * @throws {StripeError} 400
 */
export function mustShareCurrency(store: Store, customer: string, currency: string): void {
  const other = store.ofCustomer("subscription", customer).find((each) => !isOver(each) && each.currency !== currency);
  if (!other) return;
  const message = `You cannot combine currencies on a single customer. This customer has an active subscription with currency ${other.currency}.`;
  throw unusable(message, { param: "currency" });
}
