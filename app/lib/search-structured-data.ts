import type { Locale } from "./i18n";
import { CURRENCIES } from "./plans";

/** A value of JSON-LD. */
type LdJson = { [key: string]: string | number | LdJson | LdJson[] };

interface Facts {
  baseUrl: string;
  locale: Locale;
  description: string;
  /** What the free check is called. */
  free: string;
  /** What is sold, with amounts in cents; empty where nothing is. */
  prices: { name: string; plan: string; amounts: Record<string, number> }[];
  questions: { question: string; answer: string }[];
}

/**
 * Home in the words of schema.org, as JSON-LD for a script element: the service with what it costs, and the questions with
 * their answers.
 */
export function structuredData({ baseUrl, locale, description, free, prices, questions }: Facts): string {
  const currency = CURRENCIES[locale];
  const offers = prices.flatMap(({ name, plan, amounts }) => {
    const amount = amounts[currency.toLowerCase()];
    return amount === undefined ? [] : [offer(currency, amount / 100, `${baseUrl}/setup?plan=${plan}`, name)];
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
        offers: [offer(currency, 0, `${baseUrl}/`, free), ...offers],
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
  // Nothing in it may end the element.
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** @param price in whole units of the currency */
function offer(priceCurrency: string, price: number, url: string, name: string): LdJson {
  return { "@type": "Offer", name, price: price.toFixed(2), priceCurrency, url, availability: "https://schema.org/InStock" };
}
