import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Files with texts of others, or about a law or criterion. */
const OTHERS = new Set(["axe.json", "law.json", "criteria.json"]);

/** Wrong words: a plan counts websites, and a scan is a Prüfung; text in angle brackets is an example. */
const WRONG = {
  de: /\b(Scans?|gescannt|Domains?|Internetseiten?|Webauftritte?|ganzen? Sites?|URLs? (Ihres|im) Tarifs?)\b/,
  en: /\b(domains?|[Ww]hole sites?|large sites|URLs? of your plan)\b/,
};

/** Name of a host, which is no website. */
const RIGHT = ["check.json reasons.dns.try"];

function* textsOf(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === "string") yield [path, value];
  else if (value && typeof value === "object") for (const [key, part] of Object.entries(value)) yield* textsOf(part, path ? `${path}.${key}` : key);
}

test.each(["de", "en"] as const)("one word for one thing (%s)", (locale) => {
  const folder = new URL(`../../../locales/${locale}/`, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json") && !OTHERS.has(name));
  expect(files.length).toBeGreaterThan(20);
  const wrong = files.flatMap((name) =>
    [...textsOf(JSON.parse(readFileSync(new URL(name, folder), "utf8")), "")].filter(([, text]) => WRONG[locale].test(text.replace(/<[^>]*>/g, ""))).map(([path]) => `${name} ${path}`),
  );
  expect(wrong.filter((path) => !RIGHT.includes(path))).toEqual([]);
});
