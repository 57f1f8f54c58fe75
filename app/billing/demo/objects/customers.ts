import { z } from "zod";
import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import { invalidRequest } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";

export const newCustomer = z.strictObject({
  email: params.text.optional(),
  name: params.text.optional(),
  metadata: params.metadata,
  expand: params.expand,
});

export const customerSearch = z.strictObject({ query: params.text, limit: params.paging.limit, expand: params.expand });

export function createCustomer(store: Store, { email, name, metadata }: z.output<typeof newCustomer>): Stripe.Customer {
  return store.create(
    "customer",
    {
      id: newId("cus"),
      object: "customer",
      address: null,
      balance: 0,
      created: store.seconds(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: email ?? null,
      invoice_prefix: newId("").slice(1, 9).toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: params.changeMetadata({}, metadata),
      name: name ?? null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: "none",
      test_clock: null,
    },
    {},
    "customer.created",
  );
}

export function deleteCustomer(store: Store, id: string): Stripe.DeletedCustomer {
  const customer = store.get("customer", id);
  store.remove(id);
  store.emit("customer.deleted", customer);
  return { id, object: "customer", deleted: true };
}

const QUERY = /^metadata\['([^']+)'\]:'((?:\\.|[^'\\])*)'$/;

/**
 * Finds customers by one metadata key, the only query known here (https://docs.stripe.com/search#search-query-language).
 * @param before only customers created until then, Unix time in ms
 * @throws {StripeError} 400 for every other query
 */
export function searchCustomers(store: Store, query: string, before: number): Objects["customer"][] {
  const [, key, value = ""] = QUERY.exec(query) ?? [];
  if (key === undefined) throw invalidRequest(`We were unable to parse your search query: ${query}`, { param: "query" });
  const wanted = value.replace(/\\(.)/g, "$1");
  return store.list("customer", before).filter(({ metadata }) => metadata[key] === wanted);
}
