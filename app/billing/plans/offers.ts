import type { Locale } from "~/platform/i18n/i18n";
import { currencyOf, formatPrice } from "./plans";

/** Plan that is sold online, with its prices as text. */
export interface PlanOffer {
  plan: "basic" | "pro";
  /** Null for any number. */
  urlLimit: number | null;
  ways: { rhythm: "month" | "once"; price: string }[];
}

interface Price {
  plan: "basic" | "pro";
  rhythm: "month" | "once";
  urlLimit: number | null;
  /** Amounts in cents, by currency in lower case. */
  amounts: Record<string, number>;
}

/** Charge in cents; in another currency if there is no price in the wanted one. */
export function chargeOf({ amounts }: Pick<Price, "amounts">, wanted: string): { amount: number; currency: string } {
  const currency = wanted in amounts ? wanted : (Object.keys(amounts)[0] ?? wanted);
  return { amount: amounts[currency] ?? 0, currency };
}

/**
 * Products that the provider sells.
 * @param currency currency of the user's charges, in lower case; default: that of the language
 */
export function offersOf(prices: Price[], locale: Locale, currency = currencyOf(locale).toLowerCase()): PlanOffer[] {
  return (["basic", "pro"] as const).flatMap((plan) => {
    const ways = (["month", "once"] as const).flatMap((rhythm) => {
      const price = prices.find((each) => each.plan === plan && each.rhythm === rhythm);
      if (!price) return [];
      const charge = chargeOf(price, currency);
      return { rhythm, price: formatPrice(charge.amount / 100, charge.currency.toUpperCase(), locale) };
    });
    const offered = prices.find((each) => each.plan === plan);
    return offered && ways.length > 0 ? { plan, urlLimit: offered.urlLimit, ways } : [];
  });
}
