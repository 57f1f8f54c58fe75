import { createRequire } from "node:module";
import type { RuleTexts } from "~/scan/rule-texts";
import type { Impact, RuleSource } from "~/scan/types";
import { tagsOf } from "./axe-options";
import { PAGE_RULES } from "./rampe/index";
import { tagsOfRule, type PageRule } from "./rampe/page-rule";
import { SITE_RULES } from "./rampe/site/index";

export interface ListedRule {
  id: string;
  source: RuleSource;
  tags: string[];
  /** English text. */
  help: string;
  /** The rule runs in every check against WCAG 2.2 AAA; others (experimental, deprecated) run only if requested by id. */
  inStandard: boolean;
  impact: Impact;
  /** All results need review by a person (axe-core's `reviewOnFail`). */
  asksOnly: boolean;
  /** All results are certain. */
  neverAsks: boolean;
  /** Same as in `PageRule`. */
  isAdvanced: boolean;
  /** Version of our rules that introduced the rule; null for axe-core's. */
  since: string | null;
  /** Ids of the implemented rules of W3C's ACT Rules, such as `23a2a8`. */
  actIds: string[];
}

interface AxeRule extends Pick<ListedRule, "id" | "tags" | "impact"> {
  reviewOnFail: boolean;
  actIds?: string[];
}

/** All rules that test success criteria, axe-core's first. @param texts of our own rules */
export function listRules(texts: RuleTexts): ListedRule[] {
  return [...axeRules(), ...PAGE_RULES.map(ownRule), ...SITE_RULES.map((rule) => ownRule({ ...rule, isAdvanced: true }))];

  function ownRule(rule: Omit<PageRule, "selector" | "judge">): ListedRule {
    const { id, since, impact, isAdvanced = false, actIds = [] } = rule;
    const tags = tagsOfRule(rule);
    const messages = texts.checks[id];
    return { id, since, isAdvanced, source: "rampe", tags, help: texts.rules[id]?.help ?? "", inStandard: true, impact, asksOnly: !messages?.fail, neverAsks: !messages?.incomplete, actIds };
  }
}

function axeRules(): ListedRule[] {
  const require = createRequire(import.meta.url);
  const axe = require("axe-core/axe.min.js") as { _audit: { rules: AxeRule[] }; getRules(): { ruleId: string; help: string }[] };
  const help = new Map(axe.getRules().map((rule) => [rule.ruleId, rule.help]));
  return axe._audit.rules
    .filter(({ tags }) => tags.some((tag) => /^wcag\d{3,4}$/.test(tag)))
    .map(({ id, tags, impact, reviewOnFail, actIds = [] }) => {
      return { id, since: null, source: "axe", isAdvanced: false, tags, help: help.get(id) ?? "", inStandard: isInStandard(tags), impact, asksOnly: reviewOnFail, neverAsks: false, actIds };
    });
}

/** Is the rule part of a standard? Same decision as axe-core's for a choice by tags. */
function isInStandard(tags: string[]): boolean {
  const wanted = tagsOf({ version: "2.2", level: "AAA" });
  return tags.some((tag) => wanted.includes(tag)) && !tags.includes("experimental") && !tags.includes("deprecated");
}
