import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LOCALES, NAMESPACES } from "~/platform/i18n/i18n";

const folder = path.resolve("locales");

/** All texts of a file by their paths, e.g. `hero.lead` or `features.0`. */
function textsOf(file: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, key: string) => {
    if (typeof value === "string") texts.set(key, value);
    else for (const [name, inner] of Object.entries(value as object)) walk(inner, key ? `${key}.${name}` : name);
  };
  walk(JSON.parse(readFileSync(file, "utf8")), "");
  return texts;
}

/** Claims of compliance, except for requirements of rules and statements about unchecked content. */
const PROMISE = /\b(?<!whether \w+ )(is|are) (fully )?(compliant|accessible)\b(?! by keyboard)|\b(ist|sind) barrierefrei\b/i;

const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+(?:, number)?)\s*\}\}/g)].map(([, name]) => name).sort();

describe("every text exists in both languages", () => {
  const files = readdirSync(path.join(folder, "de")).filter((name) => name.endsWith(".json"));

  it("has the same files", () => {
    expect(readdirSync(path.join(folder, "en")).sort()).toEqual(readdirSync(path.join(folder, "de")).sort());
  });

  it.each(files)("%s has the same texts with the same placeholders", (name) => {
    const [german, english] = LOCALES.map((locale) => textsOf(path.join(folder, locale, name)));
    expect([...english!.keys()].sort()).toEqual([...german!.keys()].sort());
    for (const [key, text] of german!) {
      expect(placeholders(english!.get(key)!), key).toEqual(placeholders(text));
      expect(text.trim(), key).not.toBe("");
      expect(english!.get(key)!.trim(), key).not.toBe("");
    }
  });

  it.each(LOCALES.flatMap((locale) => files.map((name) => `${locale}/${name}`)))(
    "%s addresses readers consistently and promises no conformity",
    (name) => {
      for (const [key, text] of textsOf(path.join(folder, name))) {
        // The attribute `dir` is not the German pronoun.
        expect(text.replace(/Attribut dir|dir attribute|dir="/g, ""), key).not.toMatch(/\b(du|dein|deine|dich|dir)\b/i);
        expect(text, key).not.toMatch(PROMISE);
      }
    },
  );
});

it("the English is American, but for engines' texts and examples of pages", () => {
  const british = /\b(\w*(?:colour|behaviour|neighbour|favour)\w*|gr(?:ey|eyscale)|\w*(?:recogni|emphasi|organi)s(?:e|es|ed|ing)|(?:cancel|label)led|judgement\w*|licence\w*|programmes?|centres?|cheques?)\b/gi;
  const files = readdirSync(path.join(folder, "en")).filter((name) => name.endsWith(".json") && name !== "axe.json");
  const found = files.flatMap((name) => [...textsOf(path.join(folder, "en", name))].flatMap(([key, text]) => (/\.(fails|passes)$/.test(key) ? [] : (text.match(british) ?? []).map((word) => `${name} ${key}: ${word}`))));
  expect(found).toEqual([]);
});

it.each([["de", /\bWiederholungen?\b|\bregelmäßigen? Prüfung/, "wiederholte prüfung"], ["en", /\brepetitions?\b|\bregular scan/i, "repeated scan"]] as const)(
  "a repeated scan has one name everywhere (%s)",
  (locale, others, name) => {
    const texts = ["account", "billing", "common", "history", "home", "mail", "pages", "report", "runs", "tokens", "websites", "welcome"].flatMap((file) => [...textsOf(path.join(folder, locale, `${file}.json`))]);
    expect(texts.filter(([key, text]) => key !== "problem.password_simple" && others.test(text))).toEqual([]);
    expect(texts.some(([, text]) => text.toLowerCase().includes(name))).toBe(true);
  },
);

it.each([["de", /\bElement/], ["en", /\belement/i]] as const)("what is counted is called places, not elements (%s)", (locale, other) => {
  const texts = ["check.json", "report.json", "history.json", "websites.json", "runs.json"].flatMap((name) => [...textsOf(path.join(folder, locale, name))].map(([key, text]) => [`${name}:${key}`, text] as const));
  const ofRule = texts.filter(([key]) => /:(result|violations|rule|group|element|category|sort|progress|history|trend|list|counts|changed)\./.test(key) || /^(history|websites)\./.test(key));
  expect(ofRule.filter(([, text]) => other.test(text.replace(/\{\{\w+\}\}/g, "")))).toEqual([]);
});

it("all texts that pages may use are loaded by the browser", () => {
  const [, names = ""] = /locales\/\*\/\{([^}]+)\}\.json/.exec(readFileSync("app/entry.client.tsx", "utf8")) ?? [];
  expect(names.split(",").toSorted()).toEqual(NAMESPACES.toSorted());
});
