import type Stripe from "stripe";
import { PLANS, PLAN_KEYS, type PlanKey } from "./plans";

/** Entitlement of a product. */
export interface ProductTerms {
  plan: PlanKey;
  /** Display name: it does not define the product's terms. */
  planName: string;
  /** Maximum number of registered URLs; null for any number. */
  urlLimit: number | null;
}

const SMALLEST: PlanKey = "basic";

/**
 * Terms of a product by its metadata: `plan` is one of `basic`, `pro`, `enterprise`; `urls` is a number or `unlimited`. Without
 * `plan`, it entitles to the smallest plan; without `urls`, to the number of that plan.
 * @param report called for each missing or invalid entry
 */
export function termsOfProduct({ name, metadata }: Pick<Stripe.Product, "name" | "metadata">, report: (missing: "plan" | "urls") => void = () => {}): ProductTerms {
  const known = PLAN_KEYS.find((key) => key === metadata.plan?.trim().toLowerCase());
  if (!known) report("plan");
  const plan = known ?? SMALLEST;
  const limit = limitIn(metadata.urls);
  if (limit === undefined) report("urls");
  return { plan, planName: name, urlLimit: limit === undefined ? (PLANS.find(({ key }) => key === plan)?.domains ?? null) : limit };
}

/** @returns undefined if missing or invalid */
function limitIn(urls = ""): number | null | undefined {
  const value = urls.trim().toLowerCase();
  if (value === "unlimited") return null;
  return /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined;
}
