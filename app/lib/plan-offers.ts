import type { Locale } from "./i18n";
import { CURRENCIES, formatPrice } from "./plans";

/** A plan that can be bought by a click, with its prices put into words. */
export interface PlanOffer {
  plan: "basic" | "pro";
  urlLimit: number;
  ways: { rhythm: "month" | "once"; price: string }[];
}

interface Price {
  plan: "basic" | "pro";
  rhythm: "month" | "once";
  urlLimit: number;
  /** In cents, by currency in small letters. */
  amounts: Record<string, number>;
}

/** What the provider sells, in the currency of the language. */
export function offersOf(prices: Price[], locale: Locale): PlanOffer[] {
  const currency = CURRENCIES[locale];
  return (["basic", "pro"] as const).flatMap((plan) => {
    const ways = (["month", "once"] as const).flatMap((rhythm) => {
      const price = prices.find((each) => each.plan === plan && each.rhythm === rhythm);
      const amount = price?.amounts[currency.toLowerCase()];
      return amount === undefined ? [] : { rhythm, price: formatPrice(amount / 100, currency, locale) };
    });
    const urlLimit = prices.find((each) => each.plan === plan)?.urlLimit ?? 0;
    return ways.length > 0 ? { plan, urlLimit, ways } : [];
  });
}
