import type Stripe from "stripe";
import { MARKETED_PRICES, planOf, type PlanKey } from "./plans";
import { termsOfProduct } from "./product-terms";
import type { PlanPrice, Rhythm, SoldPlan } from "~/billing/provider";

/** Mark of this product's objects in an account at the provider. */
const PREFIX = "rampe";

/** Texts at the provider (product specification, sections 1 and 9). */
const SCOPES: Record<PlanKey, string> = {
  basic: "site, WCAG 2.2 A and AA: WCAG 2.1 in full, what is new in 2.2 by name and count",
  pro: "site, WCAG 2.2 A and AA: all in full",
  enterprise: "site, WCAG 2.2 A, AA and AAA: all in full",
};
const SOLD_PLANS: SoldPlan[] = ["basic", "pro"];
const RHYTHMS: Rhythm[] = ["month", "once"];

const lookupKeyOf = (plan: SoldPlan, rhythm: Rhythm) => `${PREFIX}_${plan}_${rhythm}`;
const lookupKeys = SOLD_PLANS.flatMap((plan) => RHYTHMS.map((rhythm) => lookupKeyOf(plan, rhythm)));

/** Prices for sale, with their amounts in every currency. */
export async function readPrices(stripe: Stripe): Promise<PlanPrice[]> {
  const { data } = await stripe.prices.list({
    lookup_keys: lookupKeys,
    active: true,
    expand: ["data.product", "data.currency_options"],
    limit: 100,
  });
  return data.flatMap((price) => {
    const key = /_([a-z]+)_(month|once)$/.exec(price.lookup_key ?? "");
    if (!key || typeof price.product === "string" || price.product.deleted) return [];
    return {
      id: price.id,
      plan: key[1] as SoldPlan,
      rhythm: key[2] as Rhythm,
      urlLimit: termsOfProduct(price.product).urlLimit,
      amounts: amountsOf(price),
    };
  });
}

function amountsOf({ currency, unit_amount, currency_options = {} }: Stripe.Price): Record<string, number> {
  const options = Object.entries(currency_options).map(([name, option]) => [name, option.unit_amount] as const);
  return Object.fromEntries(
    [[currency, unit_amount] as const, ...options].flatMap(([name, amount]) => (amount === null ? [] : [[name, amount]])),
  );
}

/**
 * Creates missing prices and products of the catalogue at the provider. Existing prices stay: amounts are changed at the provider.
 * Idempotent, and safe for concurrent runs.
 * @returns the created objects
 */
export async function setUpCatalogue(stripe: Stripe): Promise<string[]> {
  const existing = await readPrices(stripe);
  const created: string[] = [];
  for (const plan of SOLD_PLANS) {
    const missing = RHYTHMS.filter((rhythm) => !existing.some((price) => price.plan === plan && price.rhythm === rhythm));
    if (missing.length === 0) continue;
    await ensureProduct(stripe, plan);
    for (const rhythm of missing) {
      await createPrice(stripe, plan, rhythm);
      created.push(lookupKeyOf(plan, rhythm));
    }
  }
  if (await ensureProduct(stripe, "enterprise")) created.push(productId("enterprise"));
  return created;
}

const productId = (plan: PlanKey) => `${PREFIX}_${plan}`;

/** Creates a product with the metadata that defines its terms. @returns whether it was missing */
async function ensureProduct(stripe: Stripe, plan: PlanKey): Promise<boolean> {
  const { name, domains } = planOf(plan);
  const product = { name, metadata: { urls: String(domains ?? "unlimited"), plan, scope: SCOPES[plan] } };
  try {
    await stripe.products.create({ id: productId(plan), ...product });
    return true;
  } catch (error) {
    if ((error as Stripe.errors.StripeError).code !== "resource_already_exists") throw error;
    await stripe.products.update(productId(plan), product);
    return false;
  }
}

async function createPrice(stripe: Stripe, plan: SoldPlan, rhythm: Rhythm): Promise<void> {
  const amounts = MARKETED_PRICES.find((price) => price.plan === plan && price.rhythm === rhythm)?.amounts;
  if (amounts === undefined) return;
  await stripe.prices.create(
    {
      product: productId(plan),
      lookup_key: lookupKeyOf(plan, rhythm),
      currency: "eur",
      unit_amount: amounts.eur,
      currency_options: { usd: { unit_amount: amounts.usd } },
      ...(rhythm === "month" ? { recurring: { interval: "month" } } : {}),
    },
    { idempotencyKey: `${lookupKeyOf(plan, rhythm)}-${amounts.eur}` },
  );
}
