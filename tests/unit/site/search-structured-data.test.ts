import { expect, it } from "vitest";
import { structuredData } from "~/site/search-engines/structured-data";

const FACTS: Parameters<typeof structuredData>[0] = {
  baseUrl: "https://rampe.example",
  locale: "de",
  description: "Prüft Websites",
  free: "Kostenlos prüfen",
  prices: [
    { name: "Basic, im Monat", rhythm: "month", amounts: { eur: 1_500, usd: 1_600 } },
    { name: "Basic", rhythm: "once", amounts: { eur: 2_050 } },
    { name: "Pro", rhythm: "once", amounts: { usd: 5_000 } },
  ],
  questions: [{ question: "Was heißt </script>?", answer: "Ende" }],
};

interface Graph {
  "@graph": [{ offers: Record<string, unknown>[] }, { mainEntity: { name: string; acceptedAnswer: { text: string } }[] }];
}

const read = (facts = FACTS) => (JSON.parse(structuredData(facts)) as Graph)["@graph"];

it("contains offers with a price in the language's currency, and marks monthly prices", () => {
  const [product] = read();
  expect(product.offers.map(({ name, price, priceCurrency, priceSpecification }) => [name, price, priceCurrency, priceSpecification])).toEqual([
    ["Kostenlos prüfen", "0.00", "EUR", undefined],
    [
      "Basic, im Monat",
      "15.00",
      "EUR",
      { "@type": "UnitPriceSpecification", price: "15.00", priceCurrency: "EUR", unitCode: "MON", billingIncrement: 1 },
    ],
    ["Basic", "20.50", "EUR", undefined],
  ]);
});

it("contains only the free check if nothing is sold", () => {
  const [product] = read({ ...FACTS, prices: [] });
  expect(product.offers.map(({ url }) => url)).toEqual(["https://rampe.example/"]);
});

it("contains questions with their answers, which cannot end the script element", () => {
  expect(structuredData(FACTS)).not.toContain("</script>");
  const [, faq] = read();
  expect(faq.mainEntity).toMatchObject([{ name: "Was heißt </script>?", acceptedAnswer: { text: "Ende" } }]);
});
