import type { Locale } from "~/platform/i18n/i18n";
import { currencyOf } from "~/billing/plans/plans";

/** A value of JSON-LD. */
type LdJson = { [key: string]: string | number | LdJson | LdJson[] };

interface Facts {
  baseUrl: string;
  locale: Locale;
  description: string;
  /** Name of the free check. */
  free: string;
  /** Plans for sale, with amounts in cents; empty if nothing is sold. */
  prices: { name: string; rhythm: "month" | "once"; amounts: Record<string, number> }[];
  questions: { question: string; answer: string }[];
}

/**
 * schema.org data of the home page, as JSON-LD for a script element: the service with its prices, and the questions with
 * their answers.
 */
export function structuredData({ baseUrl, locale, description, free, prices, questions }: Facts): string {
  const currency = currencyOf(locale);
  const offers = prices.flatMap(({ name, rhythm, amounts }) => {
    const amount = amounts[currency.toLowerCase()];
    if (amount === undefined) return [];
    const price = priceOf(currency, amount / 100);
    return [offer(name, `${baseUrl}/#pricing`, rhythm === "month" ? perMonth(price) : price)];
  });
  const data: LdJson = {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Product",
        name: "Rampe",
        description,
        url: `${baseUrl}/`,
        image: `${baseUrl}/og-${locale}.png`,
        offers: [offer(free, `${baseUrl}/`, priceOf(currency, 0)), ...offers],
      },
      {
        "@type": "FAQPage",
        inLanguage: locale,
        mainEntity: questions.map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        })),
      },
    ],
  };
  // Escaped: no text may close the script element.
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** @param amount in whole units of the currency */
function priceOf(priceCurrency: string, amount: number): LdJson {
  return { price: amount.toFixed(2), priceCurrency };
}

function perMonth(price: LdJson): LdJson {
  // UN/CEFACT's code for a month (https://schema.org/unitCode).
  const specification = { "@type": "UnitPriceSpecification", ...price, unitCode: "MON", billingIncrement: 1 };
  return { ...price, priceSpecification: specification };
}

function offer(name: string, url: string, price: LdJson): LdJson {
  return { "@type": "Offer", name, ...price, url, availability: "https://schema.org/InStock" };
}
