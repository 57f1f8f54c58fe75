import { z } from "zod";
import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import { invalidRequest, resourceMissing } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";

type Price = Objects["price"];

export const newProduct = z.strictObject({
  id: params.text,
  name: params.text.min(1),
  metadata: params.metadata,
  expand: params.expand,
});
export const changedProduct = newProduct.omit({ id: true }).partial();

export function createProduct(store: Store, { id, name, metadata }: z.output<typeof newProduct>): Stripe.Product {
  if (store.find("product", id)) {
    throw invalidRequest("Product already exists.", { code: "resource_already_exists", param: "id" });
  }
  return store.create(
    "product",
    {
      id,
      object: "product",
      active: true,
      created: store.seconds(),
      default_price: null,
      description: null,
      images: [],
      livemode: false,
      marketing_features: [],
      metadata: params.changeMetadata({}, metadata),
      name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: null,
      type: "service",
      unit_label: null,
      updated: store.seconds(),
      url: null,
    },
    {},
    "product.created",
  );
}

export function updateProduct(store: Store, id: string, { name, metadata }: z.output<typeof changedProduct>): Stripe.Product {
  return store.update(
    "product",
    id,
    (draft) => {
      draft.name = name ?? draft.name;
      draft.metadata = params.changeMetadata(draft.metadata, metadata);
    },
    "product.updated",
  );
}

export const newPrice = z.strictObject({
  currency: params.currency,
  unit_amount: params.integer(1),
  product: params.text,
  currency_options: z.record(z.string(), z.strictObject({ unit_amount: params.integer(1) })).optional(),
  recurring: z.strictObject({ interval: z.enum(["month", "year"]) }).optional(),
  lookup_key: params.text.optional(),
  expand: params.expand,
});

export function createPrice(store: Store, fields: z.output<typeof newPrice>): Price {
  const { currency, unit_amount: amount, product, recurring, lookup_key: key = null, currency_options: options = {} } = fields;
  store.get("product", product, "product");
  if (key !== null && store.list("price").some((price) => price.lookup_key === key)) {
    throw invalidRequest("Another price uses that lookup key.", { code: "resource_already_exists", param: "lookup_key" });
  }
  return store.create(
    "price",
    {
      id: newId("price"),
      object: "price",
      active: true,
      billing_scheme: "per_unit",
      created: store.seconds(),
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: key,
      metadata: {},
      nickname: null,
      product,
      recurring: recurring
        ? { interval: recurring.interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: "licensed" }
        : null,
      tax_behavior: "unspecified",
      tiers_mode: null,
      transform_quantity: null,
      type: recurring ? "recurring" : "one_time",
      unit_amount: amount,
      unit_amount_decimal: String(amount),
    },
    { currencyOptions: Object.fromEntries(Object.entries(options).map(([name, { unit_amount }]) => [name, unit_amount])) },
    "price.created",
  );
}

/** Amounts of a price by currency, in its smallest unit. */
export function amountsOf(store: Store, { id, currency, unit_amount }: Price): Record<string, number> {
  return { [currency]: unit_amount ?? 0, ...store.notes("price", id).currencyOptions };
}

/**
 * Amount of a price in a currency, in its smallest unit.
 * @throws {StripeError} 400 if the price has no amount in it
 */
export function amountIn(store: Store, price: Price, currency: string): number {
  const amount = amountsOf(store, price)[currency];
  if (amount !== undefined) return amount;
  throw invalidRequest(`The price \`${price.id}\` is not available in ${currency}.`, { param: "currency" });
}

/** @throws {StripeError} 400 if there is no such price, or it has another type */
export function priceOfType(store: Store, id: string, type: Price["type"], param: string): Price {
  const price = store.find("price", id);
  if (!price) throw resourceMissing("price", id, param);
  if (price.type === type) return price;
  const message = `The price specified is set to \`type=${price.type}\` but this field only accepts prices with \`type=${type}\`.`;
  throw invalidRequest(message, { param });
}

/** Name of the product that a price is for. */
export function productName(store: Store, priceId: string): string {
  return store.get("product", store.get("price", priceId).product).name;
}
