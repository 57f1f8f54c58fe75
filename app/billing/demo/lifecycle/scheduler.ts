import { expireSession } from "~/billing/demo/objects/checkout-sessions";
import { invoicesOf } from "~/billing/demo/objects/invoices";
import { isRunning, itemOf, type Subscription } from "~/billing/demo/objects/subscriptions";
import type { Store } from "~/billing/demo/store/store";
import { settleUntil } from "./checkout";
import * as lifecycle from "./subscription-lifecycle";
import { HOUR_SECONDS } from "~/platform/durations";

/** Time limit for the first payment of a subscription: https://docs.stripe.com/billing/subscriptions/overview */
const FIRST_PAYMENT_WITHIN_SECONDS = 23 * HOUR_SECONDS;

/** States in which passing time can change something. */
const WAITING = ["active", "past_due", "unpaid", "incomplete"];

/** Carries out changes that depend only on time. @param settlesAfterMs delay until a pending payment is decided */
export function tick(store: Store, settlesAfterMs: number): void {
  settleUntil(store, store.now() - settlesAfterMs);
  for (const session of store.withStatus("checkout.session", "open")) {
    if (session.expires_at <= store.seconds()) store.change(() => expireSession(store, session.id));
  }
  for (const subscription of store.withStatus("subscription", ...WAITING)) store.change(() => passTime(store, subscription));
}

function passTime(store: Store, subscription: Subscription): void {
  const now = store.seconds();
  const { id, status, collection_method: method, created } = subscription;
  if (status === "incomplete" && created + FIRST_PAYMENT_WITHIN_SECONDS <= now) lifecycle.expire(store, id);
  if (isRunning(subscription) && itemOf(subscription).current_period_end <= now) lifecycle.renew(store, id);
  if (method !== "send_invoice") return;
  const invoices = invoicesOf(store, subscription);
  const isDue = invoices.some(({ automatically_finalizes_at: at }) => at !== null && at <= now);
  if (isDue) lifecycle.sendDrafts(store, id);
  const isLate = invoices.some((each) => each.status === "open" && (each.due_date ?? now) < now);
  if (isLate && status === "active") lifecycle.setStatus(store, id, "past_due");
}
