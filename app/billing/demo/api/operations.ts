import { z } from "zod";
import * as catalogue from "~/billing/demo/objects/catalogue";
import * as sessions from "~/billing/demo/objects/checkout-sessions";
import * as customers from "~/billing/demo/objects/customers";
import { subscriptionIdOf } from "~/billing/demo/objects/invoices";
import * as invoices from "~/billing/demo/objects/invoice-operations";
import { createPortalSession, newPortalSession } from "~/billing/demo/objects/portal-sessions";
import { createRefund, newRefund } from "~/billing/demo/objects/refunds";
import * as subscriptions from "~/billing/demo/objects/subscriptions";
import { createSubscription, updateSubscription } from "~/billing/demo/lifecycle/subscription-changes";
import { cancel } from "~/billing/demo/lifecycle/subscription-lifecycle";
import { pageOf } from "~/billing/demo/protocol/pagination";
import * as params from "~/billing/demo/protocol/parameters";
import { resourceMissing } from "~/billing/demo/protocol/stripe-error";
import type { Noun, Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";

/** One operation of the API. */
export interface Operation {
  method: "GET" | "POST" | "DELETE";
  /** Path in the syntax of Express. */
  path: string;
  schema: z.ZodType<{ expand?: string[] }>;
  run(id: string, fields: never): object;
}

const noFields = z.strictObject({ expand: params.expand });
const onlyMetadata = noFields.extend({ metadata: params.metadata });
const customerList = z.strictObject(params.paging);
const priceList = z.strictObject({
  ...params.paging,
  active: z.literal("true").optional(),
  lookup_keys: z.array(params.text).max(10).optional(),
});
const intentList = z.strictObject({ ...params.paging, customer: params.text.optional() });
const disputeList = z.strictObject({ ...params.paging, payment_intent: params.text.optional() });
const eventList = z.strictObject({ ...params.paging, type: params.text.optional() });

/**
 * All operations, by method and path.
 * @param searchDelayMs delay until a search finds new objects, as with an index that is updated later
 */
export function operationsOf(store: Store, searchDelayMs: number): Operation[] {
  const all: Operation[] = [];

  const CUSTOMERS = "/v1/customers";
  on("GET", `${CUSTOMERS}/search`, customers.customerSearch, (_id, { query, limit }) => {
    const found = customers.searchCustomers(store, query, store.now() - searchDelayMs);
    const { data, has_more } = pageOf(found, { limit }, "");
    return { object: "search_result", data, has_more, next_page: null, url: `${CUSTOMERS}/search` };
  });
  on("POST", CUSTOMERS, customers.newCustomer, (_id, fields) => customers.createCustomer(store, fields));
  on("GET", CUSTOMERS, customerList, (_id, fields) => pageOf(store.list("customer"), fields, CUSTOMERS));
  on("DELETE", `${CUSTOMERS}/:id`, noFields, (id) => {
    for (const each of store.ofCustomer("subscription", id)) cancel(store, each.id);
    return customers.deleteCustomer(store, id);
  });

  const PRODUCTS = "/v1/products";
  on("POST", PRODUCTS, catalogue.newProduct, (_id, fields) => catalogue.createProduct(store, fields));
  retrieve(PRODUCTS, "product");
  on("POST", `${PRODUCTS}/:id`, catalogue.changedProduct, (id, fields) => catalogue.updateProduct(store, id, fields));

  const PRICES = "/v1/prices";
  on("POST", PRICES, catalogue.newPrice, (_id, fields) => catalogue.createPrice(store, fields));
  on("GET", PRICES, priceList, (_id, { lookup_keys: keys, ...paging }) =>
    pageOf(store.list("price").filter((each) => !keys || keys.includes(each.lookup_key ?? "")), paging, PRICES),
  );

  const SESSIONS = "/v1/checkout/sessions";
  on("POST", SESSIONS, sessions.newSession, (_id, fields) => sessions.createSession(store, fields));
  on("GET", SESSIONS, sessions.sessionList, (_id, { payment_intent: intent, status, ...paging }) => {
    mustExist("payment_intent", intent);
    const found = store
      .list("checkout.session")
      .filter((each) => matches(intent, each.payment_intent) && matches(status, each.status));
    return pageOf(found, paging, SESSIONS);
  });
  retrieve(SESSIONS, "checkout.session");
  on("POST", `${SESSIONS}/:id/expire`, noFields, (id) => sessions.expireSession(store, id));

  const SUBSCRIPTIONS = "/v1/subscriptions";
  on("POST", SUBSCRIPTIONS, subscriptions.newSubscription, (_id, fields) => createSubscription(store, fields));
  on("GET", SUBSCRIPTIONS, subscriptions.subscriptionList, (_id, { customer, status, ...paging }) => {
    const isListed = (each: Objects["subscription"]) =>
      status === "all" || (status === undefined ? each.status !== "canceled" : each.status === status);
    return pageOf(ofCustomer("subscription", customer).filter(isListed), paging, SUBSCRIPTIONS);
  });
  retrieve(SUBSCRIPTIONS, "subscription");
  on("POST", `${SUBSCRIPTIONS}/:id`, subscriptions.changedSubscription, (id, fields) => updateSubscription(store, id, fields));
  on("DELETE", `${SUBSCRIPTIONS}/:id`, noFields, (id) => {
    if (subscriptions.isOver(store.get("subscription", id))) throw resourceMissing("subscription", id, "id", 404);
    cancel(store, id);
    return store.get("subscription", id);
  });

  const INTENTS = "/v1/payment_intents";
  on("GET", INTENTS, intentList, (_id, { customer, ...paging }) => pageOf(ofCustomer("payment_intent", customer), paging, INTENTS));
  retrieve(INTENTS, "payment_intent");
  on("POST", `${INTENTS}/:id`, onlyMetadata, (id, { metadata }) =>
    store.update("payment_intent", id, (draft) => void (draft.metadata = params.changeMetadata(draft.metadata, metadata))),
  );

  const INVOICES = "/v1/invoices";
  on("POST", "/v1/invoiceitems", invoices.newInvoiceItem, (_id, fields) => invoices.addInvoiceItem(store, fields));
  on("POST", INVOICES, invoices.newInvoice, (_id, fields) => invoices.createInvoice(store, fields));
  on("GET", INVOICES, invoices.invoiceList, (_id, { customer, subscription, status, ...paging }) => {
    mustExist("subscription", subscription);
    const found = ofCustomer("invoice", customer).filter(
      (each) => matches(subscription, subscriptionIdOf(each)) && matches(status, each.status),
    );
    return pageOf(found, paging, INVOICES);
  });
  retrieve(INVOICES, "invoice");
  on("POST", `${INVOICES}/:id`, onlyMetadata, (id, { metadata }) =>
    store.update("invoice", id, (draft) => void (draft.metadata = params.changeMetadata(draft.metadata ?? {}, metadata)), "invoice.updated"),
  );
  on("POST", `${INVOICES}/:id/finalize`, invoices.finalInvoice, (id) => invoices.finalizeDraft(store, id));
  on("POST", `${INVOICES}/:id/void`, noFields, (id) => invoices.voidOpenInvoice(store, id));

  on("POST", "/v1/refunds", newRefund, (_id, fields) => createRefund(store, fields));
  on("GET", "/v1/disputes", disputeList, (_id, { payment_intent: intent, ...paging }) => {
    mustExist("payment_intent", intent);
    return pageOf(store.list("dispute").filter((each) => matches(intent, each.payment_intent)), paging, "/v1/disputes");
  });

  on("POST", "/v1/billing_portal/sessions", newPortalSession, (_id, fields) => createPortalSession(store, fields));
  on("GET", "/v1/events", eventList, (_id, { type, ...paging }) =>
    pageOf(store.list("event").filter((each) => matches(type, each.type)), paging, "/v1/events"),
  );

  return all;

  function on<Schema extends z.ZodType<{ expand?: string[] }>>(
    method: Operation["method"],
    path: string,
    schema: Schema,
    run: (id: string, fields: z.output<Schema>) => object,
  ): void {
    all.push({ method, path, schema, run });
  }

  function retrieve(path: string, noun: Noun): void {
    on("GET", `${path}/:id`, noFields, (id) => store.get(noun, id));
  }

  /** All objects of a customer; without a customer, all objects. */
  function ofCustomer<N extends "invoice" | "payment_intent" | "subscription">(noun: N, customer: string | undefined): Objects[N][] {
    mustExist("customer", customer);
    return customer === undefined ? store.list(noun) : store.ofCustomer(noun, customer);
  }

  /** Error for an unknown filter object: an empty list would hide the mistake. */
  function mustExist(noun: Noun, id: string | undefined): void {
    if (id !== undefined) store.get(noun, id, noun);
  }
}

/** Whether a value matches; without a wanted value, every value matches. */
const matches = (wanted: string | undefined, value: unknown): boolean => wanted === undefined || value === wanted;
