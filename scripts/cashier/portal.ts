import type { Store } from "./store";
import { idOf } from "./objects";
import { addCard, makeDefault } from "./payment-methods";
import type { PortalView } from "./portal-page";
import { endWithPeriod, updateSubscription } from "./subscription-changes";
import type { SubscriptionLifecycle } from "./subscription-lifecycle";
import { isOver } from "./subscription-states";
import { itemOf } from "./subscriptions";

/** Lifetime of a portal address. */
export const PORTAL_SECONDS = 3600;

export interface PortalTools {
  books: Store;
  life: SubscriptionLifecycle;
  settlesAfterMs: number;
}

/** Data that the portal shows about a customer. */
export function portalView({ books }: PortalTools, customerId: string, returnUrl: string | null): PortalView {
  const subscriptions = books.ofCustomer("subscription", customerId);
  const customer = books.get("customer", customerId);
  const method = idOf(customer.invoice_settings?.default_payment_method);
  const nameOf = (product: string) => books.find("product", product)?.name ?? product;
  const prices = books.list("price").filter(({ active, type }) => active && type === "recurring");
  return {
    returnUrl,
    subscriptions,
    names: new Map(subscriptions.map((each) => [each.id, nameOf(idOf(itemOf(each).price.product) ?? "")])),
    plans: prices.map(({ id, product, currency, unit_amount: amount, recurring }) => ({
      id,
      name: nameOf(idOf(product) ?? ""),
      amounts: { ...books.notes("price", id).currencyOptions, [currency]: amount ?? 0 },
      interval: recurring?.interval ?? "month",
    })),
    last4: (method && books.find("payment_method", method)?.card?.last4) || null,
    invoices: books.ofCustomer("invoice", customerId).filter(({ status }) => status !== "draft"),
    payments: books.ofCustomer("payment_intent", customerId).filter(({ id }) => !books.notes("payment_intent", id).invoice),
  };
}

export type PortalResult = "change" | "cancel-at-end" | "resume" | "method" | "no such plan" | null;

/** Carries out the action of a portal button; null if the button is not valid for this customer. */
export function actInPortal(tools: PortalTools, customerId: string, form: Record<string, unknown>): PortalResult {
  const { books } = tools;
  return books.change(() => {
    const wanted = form.do;
    if (wanted === "method-good" || wanted === "method-bad") {
      replaceCard(tools, customerId, wanted === "method-good");
      return "method";
    }
    const subscription = books.ofCustomer("subscription", customerId).find(({ id }) => id === form.subscription);
    if (!subscription || isOver(subscription)) return null;
    if (wanted === "cancel-at-end" || wanted === "resume") {
      endWithPeriod(books, subscription.id, wanted === "cancel-at-end");
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

function replaceCard({ books }: PortalTools, customer: string, good: boolean): void {
  const { email } = books.get("customer", customer);
  const year = new Date(books.now()).getUTCFullYear() + 5;
  const last4 = good ? "4242" : "0341";
  const method = addCard(books, { customer, email, month: 12, year, last4, outcome: good ? "succeeds" : "later-declined" });
  makeDefault(books, customer, method.id);
  for (const { id, status } of books.ofCustomer("subscription", customer)) {
    if (isOver({ status })) continue;
    const event = "customer.subscription.updated";
    books.update("subscription", id, (draft) => void (draft.default_payment_method = method.id), event);
  }
}
