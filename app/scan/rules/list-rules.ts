import { createRequire } from "node:module";
import type { RuleTexts } from "~/scan/rule-texts";
import type { RuleSource } from "~/scan/types";
import { PAGE_RULES } from "./rampe/index";
import { tagsOfRule } from "./rampe/page-rule";

export interface ListedRule {
  id: string;
  source: RuleSource;
  tags: string[];
  /** English. */
  help: string;
}

/** All rules that test success criteria, axe-core's first. @param texts of our own rules */
export function listRules(texts: RuleTexts): ListedRule[] {
  const require = createRequire(import.meta.url);
  const axe = require("axe-core") as { getRules(): { ruleId: string; tags: string[]; help: string }[] };
  const ofAxe = axe.getRules().filter(({ tags }) => tags.some((tag) => /^wcag\d{3,4}$/.test(tag)));
  return [
    ...ofAxe.map(({ ruleId, tags, help }): ListedRule => ({ id: ruleId, source: "axe", tags, help })),
    ...PAGE_RULES.map((rule): ListedRule => ({ id: rule.id, source: "rampe", tags: tagsOfRule(rule), help: texts.rules[rule.id]?.help ?? "" })),
  ];
}
