import { amountsOf, productName } from "~/billing/demo/objects/catalogue";
import { addTestCard, makeDefault } from "~/billing/demo/objects/payment-methods";
import { isOver, itemOf, type Subscription } from "~/billing/demo/objects/subscriptions";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { changePrice } from "./subscription-changes";
import { endWithPeriod } from "./subscription-lifecycle";
import { HOUR_SECONDS } from "~/platform/durations";

/** Lifetime of a portal address. */
export const PORTAL_SECONDS = HOUR_SECONDS;

export interface PortalView {
  subscriptions: { subscription: Subscription; name: string; plans: PlanOption[] }[];
  last4: string | null;
  invoices: Objects["invoice"][];
  /** One-time payments. */
  payments: Objects["payment_intent"][];
}

/** A plan that a subscription can change to, with its amount in the subscription's currency. */
export interface PlanOption {
  id: string;
  name: string;
  amount: number;
  interval?: string;
}

/** Data that the portal shows about a customer. */
export function portalView(store: Store, customer: string): PortalView {
  const { default_payment_method: method } = store.get("customer", customer).invoice_settings;
  return {
    subscriptions: store.ofCustomer("subscription", customer).map((subscription) => ({
      subscription,
      name: productName(store, itemOf(subscription).price.id),
      plans: plansFor(store, subscription),
    })),
    last4: store.find("payment_method", method ?? "")?.card?.last4 ?? null,
    invoices: store.ofCustomer("invoice", customer).filter(({ status }) => status !== "draft"),
    payments: store.ofCustomer("payment_intent", customer).filter(({ id }) => !store.notes("payment_intent", id).invoice),
  };
}

/** Plans for a change; none for `send_invoice`: with an unpaid invoice, a change to a smaller plan would create a credit. */
function plansFor(store: Store, subscription: Subscription): PlanOption[] {
  const { currency, collection_method: method } = subscription;
  if (isOver(subscription) || method === "send_invoice") return [];
  const { price: current } = itemOf(subscription);
  return store.list("price").flatMap((price) => {
    const amount = amountsOf(store, price)[currency];
    const isOther = price.id !== current.id && price.recurring?.interval === current.recurring?.interval;
    return isOther && amount !== undefined
      ? [{ id: price.id, name: productName(store, price.id), amount, interval: price.recurring?.interval }]
      : [];
  });
}

export type PortalResult = "change" | "cancel-at-end" | "resume" | "method" | "no such plan" | null;

/** Carries out the action of a portal button; null if the button is not valid for this customer. */
export function actInPortal(store: Store, customer: string, form: Record<string, unknown>): PortalResult {
  return store.change(() => {
    const wanted = form.do;
    if (wanted === "method-good" || wanted === "method-bad") {
      replaceCard(store, customer, addTestCard(store, customer, wanted === "method-good" ? "succeeds" : "later-declined"));
      return "method";
    }
    const subscription = store.ofCustomer("subscription", customer).find(({ id }) => id === form.subscription);
    if (!subscription || isOver(subscription)) return null;
    if (wanted === "cancel-at-end" || wanted === "resume") {
      endWithPeriod(store, subscription.id, wanted === "cancel-at-end");
      return wanted;
    }
    if (wanted !== "change" || subscription.collection_method === "send_invoice") return null;
    const plan = plansFor(store, subscription).find(({ id }) => id === form.price);
    if (!plan) return "no such plan";
    changePrice(store, subscription, { id: itemOf(subscription).id, price: plan.id });
    return "change";
  });
}

function replaceCard(store: Store, customer: string, method: string): void {
  makeDefault(store, customer, method);
  for (const each of store.ofCustomer("subscription", customer)) {
    if (isOver(each)) continue;
    const event = "customer.subscription.updated";
    store.update("subscription", each.id, (draft) => void (draft.default_payment_method = method), event);
  }
}
