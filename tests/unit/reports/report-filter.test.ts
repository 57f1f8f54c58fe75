import { describe, expect, test } from "vitest";
import { filterRules, readFilter } from "~/reports/filter";
import type { RuleFilter, RuleRow, Sort } from "~/reports/report-view";

const ALL: RuleFilter = { impact: null, criterion: null, pageId: null, text: "", sort: "importance" };
const HELP: Record<string, string> = { label: "Formularfelder müssen eine Bezeichnung haben" };
const CRITERIA: Record<string, string[]> = { "image-alt": ["1.1.1"], "color-contrast": ["1.4.3"], region: [], label: ["1.3.1", "4.1.2"] };

const rule = (ruleId: string, text: string, impact: RuleRow["impact"], elementCount: number, pages: number): RuleRow => ({
  ...{ ruleId, impact, elementCount, pages, accepted: 0, criteria: [], category: "violations", isLocked: false },
  title: { text, lang: "de" },
});
const RULES = [
  rule("image-alt", "Bilder brauchen einen Alternativtext", "critical", 4, 2),
  rule("label", "Ärgerlich: Felder brauchen eine Beschriftung", "critical", 2, 1),
  rule("color-contrast", "Texte brauchen Kontrast", "serious", 90, 9),
  rule("region", "Zuordnung zu Regionen", null, 90, 1),
];

const left = (filter: Partial<RuleFilter>, withText: string[] = []) =>
  filterRules(RULES, { ...ALL, ...filter }, { criteria: ({ ruleId }) => CRITERIA[ruleId] ?? [], help: ({ ruleId }) => HELP[ruleId] ?? "", withText: new Set(withText), language: "de" }).map(
    ({ ruleId }) => ruleId,
  );

describe("a list of rules", () => {
  test("is complete and in its original order without a filter", () => {
    expect(left({})).toEqual(["image-alt", "label", "color-contrast", "region"]);
  });

  test.each<[string, Partial<RuleFilter>, string[]]>([
    ["impact", { impact: "critical" }, ["image-alt", "label"]],
    ["success criterion", { criterion: "4.1.2" }, ["label"]],
    ["name, in upper or lower case", { text: "KONTRAST" }, ["color-contrast"]],
    ["its name in the words of the standard", { text: "bezeichnung" }, ["label"]],
    ["the engine's name for it", { text: "Image-ALT" }, ["image-alt"]],
    ["all of these together", { impact: "critical", criterion: "1.1.1", text: "bilder" }, ["image-alt"]],
    ["a text without a match", { impact: "minor" }, []],
  ])("is filtered by %s", (_by, filter, expected) => {
    expect(left(filter)).toEqual(expected);
  });

  test("contains rules with an element that has the text", () => {
    expect(left({ text: "logo.png" }, ["region"])).toEqual(["region"]);
  });

  test.each<[Sort, string[]]>([
    ["impact", ["image-alt", "label", "color-contrast", "region"]],
    ["elements", ["color-contrast", "region", "image-alt", "label"]],
    ["pages", ["color-contrast", "image-alt", "label", "region"]],
    // German order: Ä is sorted like A.
    ["name", ["label", "image-alt", "color-contrast", "region"]],
  ])("is sorted by %s, then by importance", (sort, expected) => {
    expect(left({ sort })).toEqual(expected);
  });

  test("is not changed by sorting a copy", () => {
    left({ sort: "name" });
    expect(RULES.map(({ ruleId }) => ruleId)).toEqual(["image-alt", "label", "color-contrast", "region"]);
  });
});

describe("a filter in an address", () => {
  const read = (query: string) => readFilter(new URLSearchParams(query));

  test("is read as chosen", () => {
    expect(read("impact=serious&criterion=1.4.11&page=12&q=+logo+&sort=pages")).toEqual({
      ...{ impact: "serious", criterion: "1.4.11", pageId: 12, text: "logo", sort: "pages" },
    });
  });

  test.each([
    "",
    "impact=&criterion=&page=&q=&sort=",
    "impact=severe&criterion=1.4&page=0&sort=random",
    "impact=toString&criterion=1.4.3%20or%201&page=-1&sort=__proto__",
    "page=1.5",
    "page=1e400",
    "page=99999999999999999999",
  ])("that is invalid is ignored: %s", (query) => {
    expect(read(query)).toEqual(ALL);
  });

  test("has a text of at most 200 characters", () => {
    expect(read(`q=${"x".repeat(5_000)}`).text).toHaveLength(200);
  });
});
