import type Stripe from "stripe";
import { PLANS, PLAN_KEYS, type PlanKey } from "./plans";

/** Entitlement that a product includes. */
export interface ProductTerms {
  plan: PlanKey;
  /** Display name: it does not define the product's terms. */
  planName: string;
  /** URLs that may be registered; null for any number. */
  urlLimit: number | null;
}

const SMALLEST: PlanKey = "basic";

/**
 * A product's terms by its metadata: `plan` is one of `basic`, `pro`, `enterprise`; `urls` is a number or `unlimited`. Without
 * `plan` it gives what the smallest plan gives, without `urls` as many as the plan has.
 * @param report is called for each entry that is missing or invalid
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
