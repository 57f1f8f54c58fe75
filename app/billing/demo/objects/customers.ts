import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { missing } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import * as take from "~/billing/demo/protocol/parameters";

const fields = {
  email: take.email.or(z.literal("")).optional(),
  name: take.clearable.optional(),
  description: take.clearable.optional(),
  phone: take.clearable.optional(),
  preferred_locales: z.array(take.text).optional(),
  metadata: take.metadata.optional(),
  expand: take.expand,
};

export const newCustomer = z.strictObject(fields);
export const changedCustomer = z.strictObject(fields);
export const customerList = z.strictObject({
  ...take.paging,
  email: take.text.optional(),
  created: take.timeFilter.optional(),
});

export type CustomerFields = Omit<z.output<typeof newCustomer>, "expand">;

export function createCustomer(store: Store, fields: CustomerFields): Stripe.Customer {
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
      description: fields.description ?? null,
      discount: null,
      email: fields.email || null,
      invoice_prefix: newId("").slice(1, 9).toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: take.changeMetadata({}, fields.metadata),
      name: fields.name ?? null,
      next_invoice_sequence: 1,
      phone: fields.phone ?? null,
      preferred_locales: fields.preferred_locales ?? [],
      shipping: null,
      tax_exempt: "none",
      test_clock: null,
    },
    {},
    "customer.created",
  );
}

export function updateCustomer(store: Store, id: string, fields: CustomerFields): Stripe.Customer {
  findCustomer(store, id, "id", 404);
  const { metadata, email, ...plain } = fields;
  return store.update(
    "customer",
    id,
    (draft) => {
      for (const [key, value] of Object.entries(plain)) if (value !== undefined) Object.assign(draft, { [key]: value });
      if (email !== undefined) draft.email = email || null;
      draft.metadata = take.changeMetadata(draft.metadata, metadata);
    },
    "customer.updated",
  );
}

/** @returns the remaining stub */
export function deleteCustomer(store: Store, id: string): Stripe.DeletedCustomer {
  const customer = findCustomer(store, id, "id", 404);
  const rest: Stripe.DeletedCustomer = { id, object: "customer", deleted: true };
  store.update("customer", id, (draft) => {
    for (const key of Object.keys(draft)) delete (draft as unknown as Record<string, unknown>)[key];
    Object.assign(draft, rest);
  });
  store.emit("customer.deleted", customer);
  return rest;
}

/** @throws {StripeError} if it does not exist or is deleted */
export function findCustomer(store: Store, id: string, param = "customer", status: 400 | 404 = 400): Stripe.Customer {
  const customer = store.find("customer", id);
  if (!customer || customer.deleted) throw missing("customer", id, param, status);
  return customer;
}

export const isThere = (customer: Stripe.Customer): boolean => !("deleted" in customer);
