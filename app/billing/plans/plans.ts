import type { Locale } from "~/platform/i18n/i18n";

export const PLAN_KEYS = ["basic", "pro", "enterprise"] as const;
export type PlanKey = (typeof PLAN_KEYS)[number];

/** Days of new scans for a one-time payment. */
export const ONE_TIME_DAYS = 30;

export interface Plan {
  key: PlanKey;
  /** Plan with the name of the product, at the payment provider and on invoices. */
  name: string;
  /** Maximum number of registered domains; null for any number. */
  domains: number | null;
  /** Price in whole units of the currency; null if prices are agreed with each customer. */
  prices: { monthly: number; once: number } | null;
}

/** Plans with advertised prices; the payment provider's prices replace them if known. */
export const PLANS: readonly Plan[] = [
  { key: "basic", name: "Rampe Basic", domains: 1, prices: { monthly: 15, once: 20 } },
  { key: "pro", name: "Rampe Pro", domains: 5, prices: { monthly: 40, once: 50 } },
  { key: "enterprise", name: "Rampe Enterprise", domains: null, prices: null },
];

export const planOf = (key: PlanKey): Plan => PLANS.find((plan) => plan.key === key) as Plan;

/** Currency: dollars on English pages, euro on all others. */
export const currencyOf = (locale: Locale): string => (locale === "en" ? "USD" : "EUR");

/** Advertised prices in the provider's format: in cents, the same in euro and dollar. */
export const MARKETED_PRICES = PLANS.flatMap(({ key, domains, prices }) => {
  if (key === "enterprise" || !prices || domains === null) return [];
  const price = (rhythm: "month" | "once", amount: number) => ({
    plan: key,
    rhythm,
    urlLimit: domains,
    amounts: { eur: amount * 100, usd: amount * 100 },
  });
  return [price("month", prices.monthly), price("once", prices.once)];
});

/** @param amount in whole units of the currency, not cents. */
export function formatPrice(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);
}
