import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { ruleText } from "~/findings/rules/texts.server";
import { problemOf, titleOf } from "~/findings/rules/titles.server";
import { LOCALES } from "~/platform/i18n/i18n";
import german from "locales/de/titles.json";
import english from "locales/en/titles.json";
import { rules as ownRules } from "locales/en/rules.json";

const TITLES = { de: german, en: english };
const AXE = axe.getRules().map(({ ruleId }) => ruleId);
const ALL = [...AXE, ...Object.keys(ownRules)];

const MAX_CHARACTERS = 60;
/** Technical words that no title may contain. `Link` and `Tab` are common words. */
const JARGON = /[<>{}[\]#=_`"]|\b(aria|alt|attribut\w*|attribute\w*|banner|css|div|dom|elementrolle|contentinfo|frames?|href|html|id|iframe|img|landmarks?|main-|markup|role|selector|selektor|span|svg|tabindex|tag|tags|viewport|xml)\b/i;
const DEMAND = /\b(must|should|shall|muss|müssen|soll|sollen|sollten?|darf|dürfen)\b/i;

describe.each(LOCALES)("titles of results in %s", (locale) => {
  const { problems, passed, review } = TITLES[locale];
  const texts = [...Object.values(problems), ...Object.values(passed)];

  test("every rule has one that names the problem, and none is left of a rule that is gone", () => {
    expect(Object.keys(problems).sort()).toEqual([...ALL].sort());
  });

  test("every rule of axe-core has one for a result without a problem; the names of ours say that already", () => {
    expect(Object.keys(passed).sort()).toEqual([...AXE].sort());
  });

  test("no two are the same", () => {
    expect(new Set(texts).size).toBe(texts.length);
  });

  test.each(texts)("“%s” is short and speaks to everyone", (text) => {
    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(text).not.toMatch(JARGON);
    expect(text).not.toMatch(DEMAND);
    expect(text).toMatch(/^\p{Lu}/u);
    expect(text).not.toMatch(/[.!?:]$/);
    for (const id of ALL.filter((each) => each.includes("-"))) expect(text.toLowerCase()).not.toContain(id);
  });

  test.each(ALL)("%s: its problem is another text than its name and than what is right", (id) => {
    const names = [ruleText(id, "de")?.help, ruleText(id, "en")?.help].map((name) => name?.replace(/\.$/, ""));
    const { text } = titleOf({ ruleId: id, help: "" }, "passes", locale);
    expect(text).not.toBe("");
    expect([...names, text]).not.toContain(problemOf(id, locale));
  });

  test("a question does not claim the problem", () => {
    expect(review).toMatch(/^(Zu prüfen|To review): \{\{problem\}\}$/);
  });
});

describe("the title of a result", () => {
  const help = "Images must have alternative text";

  test.each([
    ["violations", "Bilder ohne Beschreibung"],
    ["incomplete", "Zu prüfen: Bilder ohne Beschreibung"],
    ["passes", "Bilder haben eine Beschreibung"],
    ["inapplicable", ruleText("image-alt", "de")?.help ?? ""],
  ] as const)("of %s is “%s”", (category, text) => {
    expect(titleOf({ ruleId: "image-alt", help }, category, "de")).toEqual({ text, lang: "de" });
  });

  test("of a rule that passed in some places alone says so", () => {
    expect(titleOf({ ruleId: "image-alt", help, isMixed: true }, "passes", "de").text).toBe("Teilweise: Bilder haben eine Beschreibung");
  });

  test("of a passed rule of ours is its name", () => {
    expect(titleOf({ ruleId: "rampe-fake-list", help: "" }, "passes", "en")).toEqual({ text: "Lists are marked up as lists", lang: "en" });
  });

  test.each(["no-such-rule", "constructor", "__proto__"])("of an unknown rule, %s, is the engine's name, in English", (ruleId) => {
    for (const category of ["violations", "incomplete", "passes"] as const) {
      expect(titleOf({ ruleId, help }, category, "de")).toEqual({ text: help, lang: "en" });
    }
    expect(problemOf(ruleId, "de")).toBeNull();
  });
});
