import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { missing, unusable } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import * as take from "~/billing/demo/protocol/parameters";

const productFields = {
  active: take.truth.optional(),
  name: take.text.min(1).optional(),
  description: take.clearable.optional(),
  images: z.array(take.url).optional(),
  marketing_features: z.array(z.strictObject({ name: take.text })).or(z.literal("").transform(() => [])).optional(),
  metadata: take.metadata.optional(),
  url: take.clearable.optional(),
  expand: take.expand,
};

export const newProduct = z.strictObject({ ...productFields, name: take.text.min(1), id: take.text.optional() });
export const changedProduct = z.strictObject({ ...productFields, default_price: take.text.optional() });
export const productList = z.strictObject({
  ...take.paging,
  active: take.truth.optional(),
  ids: z.array(take.text).optional(),
  created: take.timeFilter.optional(),
});

export function createProduct(store: Store, fields: z.output<typeof newProduct>): Stripe.Product {
  const id = fields.id ?? newId("prod");
  if (store.find("product", id)) {
    throw unusable("Product already exists.", { code: "resource_already_exists", param: "id" });
  }
  return store.create(
    "product",
    {
      id,
      object: "product",
      active: fields.active ?? true,
      created: store.seconds(),
      default_price: null,
      description: fields.description ?? null,
      images: fields.images ?? [],
      livemode: false,
      marketing_features: fields.marketing_features ?? [],
      metadata: take.changeMetadata({}, fields.metadata),
      name: fields.name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: null,
      type: "service",
      unit_label: null,
      updated: store.seconds(),
      url: fields.url ?? null,
    },
    {},
    "product.created",
  );
}

export function updateProduct(store: Store, id: string, fields: z.output<typeof changedProduct>): Stripe.Product {
  const { metadata, expand: _expand, default_price: defaultPrice, ...plain } = fields;
  if (defaultPrice !== undefined && store.find("price", defaultPrice)?.product !== id) {
    throw missing("price", defaultPrice, "default_price");
  }
  const before = store.get("product", id);
  return store.update(
    "product",
    id,
    (draft) => {
      for (const [key, value] of Object.entries(plain)) if (value !== undefined) Object.assign(draft, { [key]: value });
      if (defaultPrice !== undefined) draft.default_price = defaultPrice;
      draft.metadata = take.changeMetadata(draft.metadata, metadata);
      if (JSON.stringify(draft) !== JSON.stringify(before)) draft.updated = store.seconds();
    },
    "product.updated",
  );
}

const currencyOptions = z.record(z.string(), z.strictObject({ unit_amount: take.integerFrom(0) }));
const taxBehavior = z.enum(["exclusive", "inclusive", "unspecified"]);

export const newPrice = z.strictObject({
  active: take.truth.optional(),
  currency: take.currency,
  unit_amount: take.integerFrom(0),
  product: take.text,
  currency_options: currencyOptions.optional(),
  recurring: z
    .strictObject({
      interval: z.enum(["day", "week", "month", "year"]),
      interval_count: take.integerFrom(1, 36).optional(),
    })
    .optional(),
  lookup_key: take.text.optional(),
  transfer_lookup_key: take.truth.optional(),
  nickname: take.clearable.optional(),
  tax_behavior: taxBehavior.optional(),
  metadata: take.metadata.optional(),
  expand: take.expand,
});

export const changedPrice = z.strictObject({
  active: take.truth.optional(),
  currency_options: currencyOptions.optional(),
  lookup_key: take.text.optional(),
  transfer_lookup_key: take.truth.optional(),
  nickname: take.clearable.optional(),
  tax_behavior: taxBehavior.optional(),
  metadata: take.metadata.optional(),
  expand: take.expand,
});

export const priceList = z.strictObject({
  ...take.paging,
  active: take.truth.optional(),
  currency: take.currency.optional(),
  product: take.text.optional(),
  type: z.enum(["one_time", "recurring"]).optional(),
  lookup_keys: z.array(take.text).max(10).optional(),
  recurring: z.strictObject({ interval: take.text.optional() }).optional(),
  created: take.timeFilter.optional(),
});

export function createPrice(store: Store, fields: z.output<typeof newPrice>): Stripe.Price {
  if (!store.find("product", fields.product)) throw missing("product", fields.product, "product");
  const { recurring } = fields;
  takeLookupKey(store, null, fields.lookup_key, fields.transfer_lookup_key);
  return store.create(
    "price",
    {
      id: newId("price"),
      object: "price",
      active: fields.active ?? true,
      billing_scheme: "per_unit",
      created: store.seconds(),
      currency: fields.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: fields.lookup_key || null,
      metadata: take.changeMetadata({}, fields.metadata),
      nickname: fields.nickname ?? null,
      product: fields.product,
      recurring: recurring
        ? {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: null,
            trial_period_days: null,
            usage_type: "licensed",
          }
        : null,
      tax_behavior: fields.tax_behavior ?? "unspecified",
      tiers_mode: null,
      transform_quantity: null,
      type: recurring ? "recurring" : "one_time",
      unit_amount: fields.unit_amount,
      unit_amount_decimal: String(fields.unit_amount),
    },
    { currencyOptions: amountsOf(fields.currency_options) },
    "price.created",
  );
}

export function updatePrice(store: Store, id: string, fields: z.output<typeof changedPrice>): Stripe.Price {
  store.get("price", id, "price");
  takeLookupKey(store, id, fields.lookup_key, fields.transfer_lookup_key);
  if (fields.currency_options) {
    const { currencyOptions = {} } = store.notes("price", id);
    store.note("price", id, { currencyOptions: { ...currencyOptions, ...amountsOf(fields.currency_options) } });
  }
  return store.update(
    "price",
    id,
    (draft) => {
      if (fields.active !== undefined) draft.active = fields.active;
      if (fields.nickname !== undefined) draft.nickname = fields.nickname;
      if (fields.tax_behavior !== undefined) draft.tax_behavior = fields.tax_behavior;
      if (fields.lookup_key !== undefined) draft.lookup_key = fields.lookup_key || null;
      draft.metadata = take.changeMetadata(draft.metadata, fields.metadata);
    },
    "price.updated",
  );
}

/** A lookup key belongs to one price at a time. */
function takeLookupKey(store: Store, taker: string | null, key: string | undefined, transfer = false): void {
  const holder = key ? store.list("price").find((price) => price.lookup_key === key && price.id !== taker) : undefined;
  if (!holder) return;
  if (!transfer) {
    const message = `A price (\`${holder.id}\`) already uses that lookup key.`;
    throw unusable(message, { code: "resource_already_exists", param: "lookup_key" });
  }
  store.update("price", holder.id, (draft) => Object.assign(draft, { lookup_key: null }), "price.updated");
}

function amountsOf(options: z.output<typeof currencyOptions> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(options).map(([currency, { unit_amount: amount }]) => [currency, amount]));
}

/**
 * Amount of a price in a currency, in its smallest unit.
 * @throws {StripeError} 400 if the price has no amount in it
 */
export function amountIn(store: Store, price: Stripe.Price, currency: string, param: string): number {
  if (price.currency === currency) return price.unit_amount ?? 0;
  const amount = store.notes("price", price.id).currencyOptions?.[currency];
  if (amount !== undefined) return amount;
  throw unusable(`The price \`${price.id}\` is not available in ${currency}.`, { param });
}
