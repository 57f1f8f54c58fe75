import type { Store } from "~/billing/demo/store/store";
import { idOf } from "~/billing/demo/store/objects";
import { addCard, makeDefault } from "~/billing/demo/objects/payment-methods";
import type { PortalView } from "~/billing/demo/pages/portal-page";
import { endWithPeriod, updateSubscription } from "./subscription-changes";
import type { SubscriptionLifecycle } from "./subscription-lifecycle";
import { isOver } from "~/billing/demo/objects/subscription-states";
import { itemOf } from "~/billing/demo/objects/subscriptions";

/** Lifetime of a portal address. */
export const PORTAL_SECONDS = 3600;

export interface PortalTools {
  store: Store;
  life: SubscriptionLifecycle;
  settlesAfterMs: number;
}

/** Data that the portal shows about a customer. */
export function portalView({ store }: PortalTools, customerId: string, returnUrl: string | null): PortalView {
  const subscriptions = store.ofCustomer("subscription", customerId);
  const customer = store.get("customer", customerId);
  const method = idOf(customer.invoice_settings?.default_payment_method);
  const nameOf = (product: string) => store.find("product", product)?.name ?? product;
  const prices = store.list("price").filter(({ active, type }) => active && type === "recurring");
  return {
    returnUrl,
    subscriptions,
    names: new Map(subscriptions.map((each) => [each.id, nameOf(idOf(itemOf(each).price.product) ?? "")])),
    plans: prices.map(({ id, product, currency, unit_amount: amount, recurring }) => ({
      id,
      name: nameOf(idOf(product) ?? ""),
      amounts: { ...store.notes("price", id).currencyOptions, [currency]: amount ?? 0 },
      interval: recurring?.interval ?? "month",
    })),
    last4: (method && store.find("payment_method", method)?.card?.last4) || null,
    invoices: store.ofCustomer("invoice", customerId).filter(({ status }) => status !== "draft"),
    payments: store.ofCustomer("payment_intent", customerId).filter(({ id }) => !store.notes("payment_intent", id).invoice),
  };
}

export type PortalResult = "change" | "cancel-at-end" | "resume" | "method" | "no such plan" | null;

/** Carries out the action of a portal button; null if the button is not valid for this customer. */
export function actInPortal(tools: PortalTools, customerId: string, form: Record<string, unknown>): PortalResult {
  const { store } = tools;
  return store.change(() => {
    const wanted = form.do;
    if (wanted === "method-good" || wanted === "method-bad") {
      replaceCard(tools, customerId, wanted === "method-good");
      return "method";
    }
    const subscription = store.ofCustomer("subscription", customerId).find(({ id }) => id === form.subscription);
    if (!subscription || isOver(subscription)) return null;
    if (wanted === "cancel-at-end" || wanted === "resume") {
      endWithPeriod(store, subscription.id, wanted === "cancel-at-end");
      return wanted;
    }
    if (wanted !== "change" || subscription.collection_method === "send_invoice") return null;
    const view = portalView(tools, customerId, null);
    const plan = view.plans.find(({ id, amounts }) => id === form.price && subscription.currency in amounts);
    if (!plan) return "no such plan";
    const items = [{ id: itemOf(subscription).id, price: plan.id }];
    updateSubscription(tools, subscription.id, { items, proration_behavior: "always_invoice" });
    return "change";
  });
}

function replaceCard({ store }: PortalTools, customer: string, good: boolean): void {
  const { email } = store.get("customer", customer);
  const year = new Date(store.now()).getUTCFullYear() + 5;
  const last4 = good ? "4242" : "0341";
  const method = addCard(store, { customer, email, month: 12, year, last4, outcome: good ? "succeeds" : "later-declined" });
  makeDefault(store, customer, method.id);
  for (const { id, status } of store.ofCustomer("subscription", customer)) {
    if (isOver({ status })) continue;
    const event = "customer.subscription.updated";
    store.update("subscription", id, (draft) => void (draft.default_payment_method = method.id), event);
  }
}
