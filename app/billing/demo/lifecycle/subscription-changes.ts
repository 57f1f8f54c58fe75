import type { z } from "zod";
import { priceOfType } from "~/billing/demo/objects/catalogue";
import { collect } from "~/billing/demo/objects/invoices";
import {
  isOver,
  itemOf,
  openSubscription,
  periodLine,
  planOf,
  type changedSubscription,
  type newSubscription,
  type Subscription,
} from "~/billing/demo/objects/subscriptions";
import { changeMetadata } from "~/billing/demo/protocol/parameters";
import { invalidRequest, resourceMissing } from "~/billing/demo/protocol/stripe-error";
import type { Store } from "~/billing/demo/store/store";
import { cardOf, firstInvoice, invoiceNow, setStatus } from "./subscription-lifecycle";

/** @throws {StripeError} 400 if the parameters do not fit */
export function createSubscription(store: Store, fields: z.output<typeof newSubscription>): Subscription {
  const { id } = openSubscription(store, {
    customer: store.get("customer", fields.customer, "customer").id,
    price: fields.items[0]?.price ?? "",
    currency: fields.currency,
    collectionMethod: fields.collection_method,
    daysUntilDue: fields.days_until_due,
    paymentMethod: null,
    metadata: changeMetadata({}, fields.metadata),
  });
  firstInvoice(store, id);
  return store.get("subscription", id);
}

/** @throws {StripeError} 400 if the parameters do not fit; only the metadata of an ended subscription can change */
export function updateSubscription(store: Store, id: string, fields: z.output<typeof changedSubscription>): Subscription {
  const [item] = fields.items ?? [];
  if (item) changePrice(store, store.get("subscription", id), item);
  return store.update(
    "subscription",
    id,
    (draft) => void (draft.metadata = changeMetadata(draft.metadata, fields.metadata)),
    "customer.subscription.updated",
  );
}

/** Changes the price within its period, and immediately charges the difference for the rest of it. */
export function changePrice(store: Store, before: Subscription, change: { id: string; price: string }): void {
  if (isOver(before)) throw invalidRequest("A canceled subscription can only update its metadata.");
  if (change.id !== itemOf(before).id) throw resourceMissing("subscription_item", change.id, "items[0][id]");
  const price = priceOfType(store, change.price, "recurring", "items[0][price]");
  const after = store.update(
    "subscription",
    before.id,
    (draft) => void Object.assign(itemOf(draft), { price, plan: planOf(store, price, draft.currency) }),
    "customer.subscription.updated",
  );
  chargeDifference(store, before, after);
}

function chargeDifference(store: Store, before: Subscription, after: Subscription): void {
  const [oldLine, newLine] = [periodLine(store, before), periodLine(store, after)];
  const left = Math.max(0, oldLine.end - store.seconds()) / Math.max(1, oldLine.end - oldLine.start);
  const [unused, remaining] = [oldLine, newLine].map(({ amount }) => Math.round(amount * left));
  if (unused === undefined || remaining === undefined || unused === remaining) return;
  const lines = [
    { amount: -unused, description: `Unused time on ${oldLine.description}`, price: oldLine.price },
    { amount: remaining, description: `Remaining time on ${newLine.description}`, price: newLine.price },
  ].map((line) => ({ ...newLine, ...line, start: store.seconds(), proration: true }));
  const invoice = invoiceNow(store, after, "subscription_update", lines);
  if (invoice.status === "draft") return;
  const result = collect(store, invoice.id, cardOf(store, after), false);
  if (result === "declined") setStatus(store, before.id, "past_due");
}
