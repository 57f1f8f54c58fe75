import path from "node:path";
import axe from "axe-core";
import { expect, test } from "vitest";
import type { RuleEntry } from "~/findings/rules/rule";
import english from "locales/en/reviews.json";
import { checks } from "locales/en/rules.json";

const ownFiles = import.meta.glob<RuleEntry>("../../../app/findings/rules/rampe/*/*.ts", { eager: true, import: "default" });
const files = import.meta.glob<RuleEntry>("../../../app/findings/rules/axe/*/*.ts", { eager: true, import: "default" });
const rules = new Map(axe.getRules().map((rule) => [rule.ruleId, rule]));

test.each(Object.entries(files))("%s describes the rule of its name, in the folder of its category", (file, { id }) => {
  expect(path.basename(file, ".ts")).toBe(id);
  expect(rules.get(id)?.tags).toContain(`cat.${path.basename(path.dirname(file))}`);
});

test("every review question belongs to a rule", () => {
  const asked = [...Object.values(files), ...Object.values(ownFiles)].flatMap(({ question }) => question ?? []);
  expect([...new Set(asked)].sort()).toEqual(Object.keys(english.guidance.rule).sort());
});

test("every rule of our own that asks says what to look at and how to decide", () => {
  const answered = new Set(Object.values(ownFiles).flatMap(({ id, question }) => (question ? [id] : [])));
  const asking = Object.entries(checks).flatMap(([id, messages]) => ("incomplete" in messages ? [id] : []));
  expect(asking.filter((id) => !answered.has(id))).toEqual([]);
});
