import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { PEOPLE } from "~/findings/rules/barriers";
import { impactOnPeople } from "~/findings/rules/catalogue.server";
import { PAGE_RULES } from "~/scan/rules/rampe";
import { tagsOfRule } from "~/scan/rules/rampe/page-rule";
import { SITE_RULES } from "~/scan/rules/rampe/site";
import german from "locales/de/fixes.json";
import english from "locales/en/fixes.json";

const rules = [
  ...axe.getRules().map(({ ruleId, tags }) => ({ id: ruleId, tags })),
  ...[...PAGE_RULES, ...SITE_RULES].map((rule) => ({ id: rule.id, tags: tagsOfRule(rule) })),
];

describe("the effect of a barrier on people", () => {
  test.each(rules)("is known for $id, specifically", ({ id, tags }) => {
    const { barrier, people } = impactOnPeople(id, tags);
    expect(barrier).not.toBe("general");
    expect(people.length).toBeGreaterThan(0);
    for (const texts of [german, english]) expect(texts.why[barrier]).toBeTruthy();
  });

  test("is known for every category, also for future rules", () => {
    const categories = new Set(rules.flatMap(({ tags }) => tags.filter((tag) => tag.startsWith("cat."))));
    expect(categories.size).toBe(13);
    for (const category of categories) {
      expect(impactOnPeople("a-rule-to-come", ["wcag2a", category]).barrier).not.toBe("general");
    }
  });

  test.each(["no-such-rule", "constructor", "__proto__"])("is at least guessed for %s", (id) => {
    expect(impactOnPeople(id, [id])).toEqual({ barrier: "general", people: ["blind", "motor"] });
  });

  test("has no unused text", () => {
    const tags = new Set(rules.flatMap((rule) => rule.tags));
    const told = [...rules, ...[...tags, ""].map((tag) => ({ id: "", tags: [tag] }))].map((rule) =>
      impactOnPeople(rule.id, rule.tags),
    );
    expect([...new Set(told.map(({ barrier }) => barrier))].sort()).toEqual(Object.keys(english.why).sort());
    expect([...new Set(told.flatMap(({ people }) => [...people]))].sort()).toEqual([...PEOPLE].sort());
    expect(Object.keys(english.people).sort()).toEqual([...PEOPLE].sort());
  });

  test("is described in one or two sentences, without a promise", () => {
    for (const text of [...Object.values(german.why), ...Object.values(english.why)]) {
      expect(text.match(/[.?!](?= |$)/g)?.length, text).toBeLessThanOrEqual(2);
      expect(text.length, text).toBeLessThan(200);
      expect(text).not.toMatch(/\b(compliant|konform|barrierefrei)\b/i);
      expect(text).not.toMatch(/\b(du|dein|deine|dich|dir)\b/i);
    }
  });
});
