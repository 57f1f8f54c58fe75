import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import * as catalogue from "~/billing/demo/objects/catalogue";
import * as sessions from "~/billing/demo/objects/checkout-sessions";
import * as customers from "~/billing/demo/objects/customers";
import { missing } from "~/billing/demo/protocol/stripe-error";
import * as invoicing from "~/billing/demo/objects/invoicing";
import { lineItemsOf } from "~/billing/demo/objects/line-items";
import { only, pageOf } from "~/billing/demo/protocol/pagination";
import { idOf, type Noun, type Objects } from "~/billing/demo/store/objects";
import * as take from "~/billing/demo/protocol/parameters";
import { createPortalSession, newPortalSession } from "~/billing/demo/objects/portal-sessions";
import { createRefund, newRefund } from "~/billing/demo/objects/refunds";
import { parseSearch } from "~/billing/demo/protocol/search-query";
import { createSubscription, updateSubscription } from "~/billing/demo/lifecycle/subscription-changes";
import type { SubscriptionLifecycle } from "~/billing/demo/lifecycle/subscription-lifecycle";
import { isOver } from "~/billing/demo/objects/subscription-states";
import * as subscriptions from "~/billing/demo/objects/subscriptions";

/** One operation of the API. */
export interface Operation {
  method: "GET" | "POST" | "DELETE";
  /** In the syntax of Express. */
  path: string;
  schema: z.ZodType<{ expand?: string[] }>;
  run(id: string, fields: never): object;
}

export interface OperationsOptions {
  store: Store;
  life: SubscriptionLifecycle;
  publicUrl: string;
  settlesAfterMs: number;
  /** Delay until a search finds new objects. */
  searchDelayMs: number;
}

const nothingElse = z.strictObject({ expand: take.expand });
const eventList = z.strictObject({
  ...take.paging,
  type: take.text.optional(),
  types: z.array(take.text).max(20).optional(),
  delivery_success: take.truth.optional(),
  created: take.timeFilter.optional(),
});
const intentList = z.strictObject({ ...take.paging, customer: take.text.optional(), created: take.timeFilter.optional() });
const disputeList = z.strictObject({
  ...take.paging,
  charge: take.text.optional(),
  payment_intent: take.text.optional(),
  created: take.timeFilter.optional(),
});
const changedIntent = z.strictObject({
  metadata: take.metadata.optional(),
  description: take.clearable.optional(),
  receipt_email: take.email.or(z.literal("").transform(() => null)).optional(),
  expand: take.expand,
});

/** All operations, by method and path. */
export function operationsOf({ store, life, publicUrl, settlesAfterMs, searchDelayMs }: OperationsOptions): Operation[] {
  const tools = { store, life, settlesAfterMs };
  const all: Operation[] = [];

  // Search paths come first: otherwise `search` would match as an id.
  const CUSTOMERS = "/v1/customers";
  search("customer", CUSTOMERS, ["email", "name", "phone"]);
  on("POST", CUSTOMERS, customers.newCustomer, (_id, { expand: _, ...fields }) => customers.createCustomer(store, fields));
  on("GET", CUSTOMERS, customers.customerList, (_id, fields) => {
    const found = store
      .list("customer")
      .filter((each) => customers.isThere(each) && matches(fields.email, each.email))
      .filter((each) => take.isWithin(each.created, fields.created));
    return pageOf(found, fields, CUSTOMERS);
  });
  on("GET", `${CUSTOMERS}/:id`, nothingElse, (id) => store.get("customer", id));
  on("POST", `${CUSTOMERS}/:id`, customers.changedCustomer, (id, { expand: _, ...fields }) =>
    customers.updateCustomer(store, id, fields),
  );
  on("DELETE", `${CUSTOMERS}/:id`, nothingElse, (id) => {
    customers.findCustomer(store, id, "id", 404);
    for (const each of store.ofCustomer("subscription", id)) life.cancel(each.id, "cancellation_requested");
    return customers.deleteCustomer(store, id);
  });

  const PRODUCTS = "/v1/products";
  search("product", PRODUCTS, ["active", "name", "description", "url"]);
  on("POST", PRODUCTS, catalogue.newProduct, (_id, fields) => catalogue.createProduct(store, fields));
  on("GET", PRODUCTS, catalogue.productList, (_id, fields) => {
    const { active, ids, created } = fields;
    const found = store
      .list("product")
      .filter((each) => matches(active, each.active) && take.isWithin(each.created, created))
      .filter((each) => !ids || ids.includes(each.id));
    return pageOf(found, fields, PRODUCTS);
  });
  on("GET", `${PRODUCTS}/:id`, nothingElse, (id) => store.get("product", id));
  on("POST", `${PRODUCTS}/:id`, catalogue.changedProduct, (id, fields) => catalogue.updateProduct(store, id, fields));

  const PRICES = "/v1/prices";
  search("price", PRICES, ["active", "currency", "lookup_key", "product", "type"]);
  on("POST", PRICES, catalogue.newPrice, (_id, fields) => catalogue.createPrice(store, fields));
  on("GET", PRICES, catalogue.priceList, (_id, fields) => {
    const { active, currency, product, type, lookup_keys: keys, recurring, created } = fields;
    const found = store
      .list("price")
      .filter((each) => matches(active, each.active) && matches(currency, each.currency) && matches(type, each.type))
      .filter((each) => matches(product, each.product) && matches(recurring?.interval, each.recurring?.interval))
      .filter((each) => !keys || keys.includes(each.lookup_key ?? ""))
      .filter((each) => take.isWithin(each.created, created));
    return pageOf(found, fields, PRICES);
  });
  on("GET", `${PRICES}/:id`, nothingElse, (id) => store.get("price", id, "price"));
  on("POST", `${PRICES}/:id`, catalogue.changedPrice, (id, fields) => catalogue.updatePrice(store, id, fields));

  const SESSIONS = "/v1/checkout/sessions";
  on("POST", SESSIONS, sessions.newSession, (_id, fields) => sessions.createSession(store, fields, publicUrl));
  on("GET", SESSIONS, sessions.sessionList, (_id, fields) => {
    const { customer, payment_intent: intent, subscription, status, customer_details: details, created } = fields;
    mustExist("customer", customer);
    mustExist("payment_intent", intent);
    mustExist("subscription", subscription);
    const found = store
      .list("checkout.session")
      .filter((each) => matches(customer, each.customer) && matches(intent, each.payment_intent))
      .filter((each) => matches(subscription, each.subscription) && matches(status, each.status))
      .filter((each) => matches(details?.email, each.customer_details?.email))
      .filter((each) => take.isWithin(each.created, created));
    return pageOf(found, fields, SESSIONS);
  });
  on("GET", `${SESSIONS}/:id`, nothingElse, (id) => store.get("checkout.session", id, "session"));
  on("POST", `${SESSIONS}/:id`, sessions.changedSession, (id, fields) => sessions.updateSession(store, id, fields));
  on("POST", `${SESSIONS}/:id/expire`, nothingElse, (id) => sessions.expireSession(store, id));
  on("GET", `${SESSIONS}/:id/line_items`, z.strictObject(take.paging), (id, fields) => {
    store.get("checkout.session", id, "session");
    return pageOf(lineItemsOf(store, id), fields, `${SESSIONS}/${id}/line_items`);
  });

  const SUBSCRIPTIONS = "/v1/subscriptions";
  search("subscription", SUBSCRIPTIONS, ["status"]);
  on("POST", SUBSCRIPTIONS, subscriptions.newSubscription, (_id, fields) => createSubscription(tools, fields));
  on("GET", SUBSCRIPTIONS, subscriptions.subscriptionList, (_id, fields) => {
    const { customer, status, price, collection_method: method, created } = fields;
    mustExist("customer", customer);
    mustExist("price", price);
    const found = (customer ? store.ofCustomer("subscription", customer) : store.list("subscription"))
      .filter((each) => hasStatus(each, status) && matches(method, each.collection_method))
      .filter((each) => matches(price, each.items.data[0]?.price.id) && take.isWithin(each.created, created));
    return pageOf(found, fields, SUBSCRIPTIONS);
  });
  on("GET", `${SUBSCRIPTIONS}/:id`, nothingElse, (id) => store.get("subscription", id));
  on("POST", `${SUBSCRIPTIONS}/:id`, subscriptions.changedSubscription, (id, fields) =>
    updateSubscription(tools, id, fields),
  );
  on("DELETE", `${SUBSCRIPTIONS}/:id`, subscriptions.canceledSubscription, (id, { cancellation_details: details }) => {
    if (isOver(store.get("subscription", id))) throw missing("subscription", id, "id", 404);
    life.cancel(id, "cancellation_requested");
    return store.update("subscription", id, (draft) => {
      const none = { comment: null, feedback: null, reason: null };
      draft.cancellation_details = { ...none, ...draft.cancellation_details, ...details };
    });
  });

  const INTENTS = "/v1/payment_intents";
  search("payment_intent", INTENTS, ["amount", "currency", "customer", "status"]);
  on("GET", INTENTS, intentList, (_id, fields) => {
    mustExist("customer", fields.customer);
    const found = fields.customer ? store.ofCustomer("payment_intent", fields.customer) : store.list("payment_intent");
    return pageOf(found.filter((each) => take.isWithin(each.created, fields.created)), fields, INTENTS);
  });
  on("GET", `${INTENTS}/:id`, nothingElse, (id) => store.get("payment_intent", id, "intent"));
  on("POST", `${INTENTS}/:id`, changedIntent, (id, fields) => {
    store.get("payment_intent", id, "intent");
    return store.update("payment_intent", id, (draft) => {
      if (fields.description !== undefined) draft.description = fields.description;
      if (fields.receipt_email !== undefined) draft.receipt_email = fields.receipt_email;
      draft.metadata = take.changeMetadata(draft.metadata, fields.metadata);
    });
  });

  const INVOICES = "/v1/invoices";
  on("POST", "/v1/invoiceitems", invoicing.newInvoiceItem, (_id, fields) => invoicing.addInvoiceItem(store, fields));
  on("POST", INVOICES, invoicing.newInvoice, (_id, fields) => invoicing.createInvoice(store, fields));
  on("GET", INVOICES, invoicing.invoiceList, (_id, fields) => {
    const { customer, subscription, status, collection_method: method, created } = fields;
    mustExist("customer", customer);
    mustExist("subscription", subscription);
    const found = (customer ? store.ofCustomer("invoice", customer) : store.list("invoice"))
      .filter((each) => matches(subscription, each.parent?.subscription_details?.subscription ?? null))
      .filter((each) => matches(status, each.status) && matches(method, each.collection_method))
      .filter((each) => take.isWithin(each.created, created));
    return pageOf(found, fields, INVOICES);
  });
  on("GET", `${INVOICES}/:id`, nothingElse, (id) => store.get("invoice", id, "invoice"));
  on("POST", `${INVOICES}/:id`, invoicing.changedInvoice, (id, fields) => invoicing.updateInvoice(store, id, fields));
  on("POST", `${INVOICES}/:id/finalize`, invoicing.finalInvoice, (id, fields) =>
    invoicing.makeFinal(store, id, fields, publicUrl),
  );

  on("POST", `${INVOICES}/:id/void`, nothingElse, (id) => invoicing.takeBack(store, id));

  on("POST", "/v1/refunds", newRefund, (_id, fields) => createRefund(store, fields));

  on("GET", "/v1/disputes", disputeList, (_id, fields) => {
    const { charge, payment_intent: intent, created } = fields;
    mustExist("payment_intent", intent);
    const found = store
      .list("dispute")
      .filter((each) => matches(charge, each.charge) && matches(intent, each.payment_intent))
      .filter((each) => take.isWithin(each.created, created));
    return pageOf(found, fields, "/v1/disputes");
  });

  on("POST", "/v1/billing_portal/sessions", newPortalSession, (_id, fields) =>
    createPortalSession(store, fields, publicUrl),
  );

  on("GET", "/v1/events", eventList, (_id, fields) => {
    const { type, types, created, delivery_success: delivered } = fields;
    const isWanted = (each: Stripe.Event) =>
      (!type || isOfType(each, type)) &&
      (!types || types.some((one) => isOfType(each, one))) &&
      matches(delivered, each.pending_webhooks === 0) &&
      take.isWithin(each.created, created);
    return pageOf(only(store.newest("event"), isWanted), fields, "/v1/events");
  });
  on("GET", "/v1/events/:id", nothingElse, (id) => store.get("event", id));

  return all;

  function on<Schema extends z.ZodType<{ expand?: string[] }>>(
    method: Operation["method"],
    path: string,
    schema: Schema,
    run: (id: string, fields: z.output<Schema>) => object,
  ): void {
    all.push({ method, path, schema, run });
  }

  /** Error for an unknown filter object: an empty list would hide the mistake. */
  function mustExist(noun: Noun, id: string | undefined): void {
    if (id !== undefined && !store.find(noun, id)) throw missing(noun, id, noun);
  }

  /** Objects younger than the delay are not found yet, as with an index that is updated later. */
  function search(noun: Noun, url: string, fields: string[]): void {
    on("GET", `${url}/search`, take.searching, (_id, { query, limit, page }) => {
      const isFound = parseSearch(query, fields);
      const known: Objects[Noun][] = store.list(noun, store.now() - searchDelayMs);
      const found = known.filter((each) => !("deleted" in each) && isFound(each));
      const start = Number(page ?? 0) || 0;
      const hasMore = start + limit < found.length;
      return {
        object: "search_result",
        data: found.slice(start, start + limit),
        has_more: hasMore,
        next_page: hasMore ? String(start + limit) : null,
        url: `${url}/search`,
      };
    });
  }
}

/** Without a wanted value, every value matches. */
function matches(wanted: string | boolean | undefined, value: unknown): boolean {
  if (wanted === undefined) return true;
  return (typeof value === "object" && value !== null ? idOf(value) : value) === wanted;
}

function hasStatus(subscription: Stripe.Subscription, wanted: string | undefined): boolean {
  if (wanted === "all") return true;
  if (wanted === undefined) return subscription.status !== "canceled";
  return wanted === "ended" ? isOver(subscription) : subscription.status === wanted;
}

/** `customer.*` matches all types with that prefix. */
function isOfType({ type }: Stripe.Event, wanted: string): boolean {
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
