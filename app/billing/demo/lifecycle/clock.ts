import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import type { Checkout } from "./checkout";
import type { ClockAction } from "~/billing/demo/pages/clock-page";
import { invoicesOf } from "~/billing/demo/objects/invoices";
import { closeDispute, dispute, openDispute, refund, refundableCharge } from "~/billing/demo/objects/refunds";
import { endWithPeriod } from "./subscription-changes";
import type { SubscriptionLifecycle } from "./subscription-lifecycle";
import { isOver, isRunning } from "~/billing/demo/objects/subscription-states";

export interface ClockTools {
  store: Store;
  checkout: Checkout;
  life: SubscriptionLifecycle;
}

/** Actions that are possible for a subscription in its current state. */
export function actionsOn({ store }: ClockTools, subscription: Stripe.Subscription): ClockAction[] {
  const invoices = invoicesOf(store, subscription);
  const intent = lastPayment(store, subscription);
  const hasOpen = invoices.some(({ status }) => status === "open");
  const isCharged = subscription.collection_method === "charge_automatically";
  const hasDraft = invoices.some(({ status }) => status === "draft");
  const can: [ClockAction, boolean][] = [
    ["settle", intent?.status === "processing"],
    ["finalize", hasDraft && !isOver(subscription)],
    ["renew", isRunning(subscription) && !subscription.cancel_at_period_end],
    ["fail", isCharged && isRunning(subscription) && !subscription.cancel_at_period_end],
    ["recover", hasOpen && !isOver(subscription) && intent?.status !== "processing"],
    ["give-up", subscription.status === "past_due"],
    ["cancel-at-end", isRunning(subscription) && !subscription.cancel_at_period_end],
    ["end-period", isRunning(subscription) && subscription.cancel_at_period_end],
    ["pause", isRunning(subscription)],
    ["resume", subscription.status === "paused"],
    ["cancel", !isOver(subscription)],
    ...moneyBack(store, lastSucceeded(store, subscription)),
  ];
  return can.filter(([, possible]) => possible).map(([action]) => action);
}

/** Actions that are possible for a one-time payment in its current state. */
export function actionsOnPayment({ store }: ClockTools, intent: Stripe.PaymentIntent): ClockAction[] {
  const can: [ClockAction, boolean][] = [["settle", intent.status === "processing"], ...moneyBack(store, intent)];
  return can.filter(([, possible]) => possible).map(([action]) => action);
}

function moneyBack(store: Store, intent: Stripe.PaymentIntent | undefined): [ClockAction, boolean][] {
  const charge = intent ? refundableCharge(store, intent) : null;
  const isDisputed = charge !== null && openDispute(store, charge.id) !== undefined;
  return [
    ["refund", charge !== null],
    ["dispute", charge !== null && !charge.disputed],
    ["dispute-won", isDisputed],
    ["dispute-lost", isDisputed],
  ];
}

/**
 * Carries out an action; an action that is not possible (any more) does nothing, so a second press of a button is harmless.
 * @returns whether the action was carried out
 * @throws {StripeError} 404 when there is neither such a subscription nor such a payment
 */
export function act(tools: ClockTools, id: string, action: string): boolean {
  const { store, checkout, life } = tools;
  return store.change(() => {
    const subscription = store.find("subscription", id);
    const intent = subscription ? undefined : store.get("payment_intent", id);
    const possible = subscription ? actionsOn(tools, subscription) : intent ? actionsOnPayment(tools, intent) : [];
    const known = possible.find((each) => each === action);
    if (!known) return false;
    const paid = subscription ? lastSucceeded(store, subscription) : intent;
    const charge = paid ? refundableCharge(store, paid) : null;
    const underWay = subscription ? lastPayment(store, subscription) : intent;
    const ways: Record<ClockAction, () => void> = {
      finalize: () => life.sendDrafts(id),
      renew: () => life.renew(id),
      fail: () => life.renew(id, "declined"),
      recover: () => life.recover(id),
      "give-up": () => life.giveUp(id),
      cancel: () => life.cancel(id, "cancellation_requested"),
      "cancel-at-end": () => endWithPeriod(store, id, true),
      "end-period": () => life.renew(id),
      pause: () => life.pause(id),
      resume: () => life.resume(id),
      settle: () => underWay && checkout.settle(underWay.id),
      refund: () => charge && refund(store, charge.id),
      dispute: () => charge && dispute(store, charge.id),
      "dispute-won": () => charge && closeDispute(store, charge.id, "won"),
      "dispute-lost": () => charge && closeDispute(store, charge.id, "lost"),
    };
    ways[known]();
    return true;
  });
}

/** The payment of the newest invoice that has one. */
function lastPayment(store: Store, subscription: Stripe.Subscription): Stripe.PaymentIntent | undefined {
  return paymentsOf(store, subscription)[0];
}

function lastSucceeded(store: Store, subscription: Stripe.Subscription): Stripe.PaymentIntent | undefined {
  return paymentsOf(store, subscription).find(({ status }) => status === "succeeded");
}

function paymentsOf(store: Store, subscription: Stripe.Subscription): Stripe.PaymentIntent[] {
  return invoicesOf(store, subscription).flatMap(({ id }) => {
    const { paymentIntent } = store.notes("invoice", id);
    return paymentIntent ? [store.get("payment_intent", paymentIntent)] : [];
  });
}
