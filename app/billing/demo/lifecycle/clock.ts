import { invoicesOf, paymentOf } from "~/billing/demo/objects/invoices";
import { closeDispute, dispute, openDispute, refund, refundableCharge } from "~/billing/demo/objects/refunds";
import { isOver, isRunning, type Subscription } from "~/billing/demo/objects/subscriptions";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { settle } from "./checkout";
import * as lifecycle from "./subscription-lifecycle";

/** Events that depend on time or a bank, such as a renewal or a failed payment. */
export type ClockAction =
  | "finalize"
  | "renew"
  | "fail"
  | "recover"
  | "give-up"
  | "cancel"
  | "cancel-at-end"
  | "end-period"
  | "pause"
  | "resume"
  | "settle"
  | "refund"
  | "dispute"
  | "dispute-won"
  | "dispute-lost";

type Intent = Objects["payment_intent"];

/** Currently possible actions, with their effects. */
type Possible = Map<ClockAction, () => void>;

/** Actions that are possible for a subscription or a one-time payment in its current state. */
export function actionsOn(store: Store, about: Subscription | Intent): ClockAction[] {
  return [...possibleFor(store, about).keys()];
}

/**
 * Carries out an action. An action that is no longer possible does nothing, so a double click is harmless.
 * @returns whether the action was carried out
 * @throws {StripeError} 404 if no subscription or payment has this id
 */
export function act(store: Store, id: string, action: string): boolean {
  return store.change(() => {
    const about = store.find("subscription", id) ?? store.get("payment_intent", id);
    const work = possibleFor(store, about).get(action as ClockAction);
    work?.();
    return work !== undefined;
  });
}

function possibleFor(store: Store, about: Subscription | Intent): Possible {
  const all = about.object === "subscription" ? onSubscription(store, about) : [onPending(store, about), ...onPaid(store, about)];
  return new Map(all.flatMap(([action, isPossible, work]) => (isPossible ? [[action, work]] : [])));
}

type Action = [name: ClockAction, isPossible: boolean, work: () => void];

function onSubscription(store: Store, subscription: Subscription): Action[] {
  const { id, status, collection_method: method, cancel_at_period_end: ends } = subscription;
  const invoices = invoicesOf(store, subscription);
  const payments = invoices.flatMap((invoice) => paymentOf(store, invoice.id) ?? []);
  const [last] = payments;
  const has = (wanted: "open" | "draft") => invoices.some((invoice) => invoice.status === wanted) && !isOver(subscription);
  const renews = isRunning(subscription) && !ends;
  return [
    onPending(store, last),
    ["finalize", has("draft"), () => lifecycle.sendDrafts(store, id)],
    ["renew", renews, () => lifecycle.renew(store, id)],
    ["fail", renews && method === "charge_automatically", () => lifecycle.renew(store, id, true)],
    ["recover", has("open") && last?.status !== "processing", () => lifecycle.recover(store, id)],
    ["give-up", status === "past_due", () => lifecycle.setStatus(store, id, "unpaid")],
    ["cancel-at-end", renews, () => lifecycle.endWithPeriod(store, id, true)],
    ["end-period", isRunning(subscription) && ends, () => lifecycle.renew(store, id)],
    ["pause", isRunning(subscription), () => lifecycle.setStatus(store, id, "paused", "customer.subscription.paused")],
    ["resume", status === "paused", () => lifecycle.resume(store, id)],
    ["cancel", !isOver(subscription), () => lifecycle.cancel(store, id)],
    ...onPaid(store, payments.find((payment) => payment.status === "succeeded")),
  ];
}

function onPending(store: Store, intent: Intent | undefined): Action {
  return ["settle", intent?.status === "processing", () => settle(store, intent?.id ?? "")];
}

function onPaid(store: Store, intent: Intent | undefined): Action[] {
  const charge = intent && refundableCharge(store, intent);
  if (!charge) return [];
  const { id, disputed } = charge;
  const isOpen = openDispute(store, id) !== undefined;
  return [
    ["refund", true, () => refund(store, id)],
    ["dispute", !disputed, () => dispute(store, id)],
    ["dispute-won", isOpen, () => closeDispute(store, id, "won")],
    ["dispute-lost", isOpen, () => closeDispute(store, id, "lost")],
  ];
}
