import type { Axe, CheckSpec, RuleSpec, VirtualNode } from "~/scan/rules/axe-internals";
import { ITEMS_OF_ROLE } from "~/scan/interaction/keys/items-of-role";
import { announcesChange } from "./announces-change";
import { contrastOf } from "./contrast-of";
import { defineFalseAlarms } from "./false-alarms";
import { makeKit, type Kit } from "./kit";
import { readStyleRules } from "./style-rules";
import type { RuleMessages, RuleTexts } from "~/scan/rule-texts";
import { defineWithoutRepeated } from "./repeated";
import { KEEP_NAMES } from "~/scan/page/keep-names";
import { JARGON } from "~/scan/rules/rampe/text/jargon";
import { inAscii } from "~/scan/rules/in-ascii";
import { tagsOfRule, type Judgement, type PageRule } from "./page-rule";
import { understandingUrl } from "./understanding-url";

/**
 * Script text that adds our own rules to axe-core, so that they run in the same tree, frames and time budget, and are reported
 * in the same way.
 * @throws {Error} if a rule has no text
 */
export function rulesScript(rules: PageRule[], texts: RuleTexts): string {
  const entries = rules.map((rule) => {
    const { id, selector, impact, includesHidden = false, judge } = rule;
    const [text, messages] = [texts.rules[id], texts.checks[id]];
    if (!text || !messages) throw new Error(`The rule ${id} has no text.`);
    const helpUrl = understandingUrl(texts.criteria[rule.criteria[0] ?? ""] ?? "");
    const data = { id, selector, impact, includesHidden, tags: tagsOfRule(rule), ...text, helpUrl, messages };
    const source = judge.toString();
    // A method's source begins with its name.
    return `{ ...${JSON.stringify(data)}, ${/^judge\s*\(/.test(source) ? source : `judge: ${source}`} }`;
  });
  return inAscii(`(() => { ${KEEP_NAMES} (${defineWithoutRepeated.toString()})(); const kit = (${makeKit.toString()})({ itemsOfRole: ${JSON.stringify(ITEMS_OF_ROLE)}, jargon: ${JSON.stringify(JARGON)}, announcesChange: ${announcesChange.toString()}, contrastOf: ${contrastOf.toString()}, readStyleRules: ${readStyleRules.toString()} }); (${defineFalseAlarms.toString()})(kit); (${addRules.toString()})([${entries.join(",\n")}], kit); })()`);
}

interface RuleInPage extends Pick<PageRule, "id" | "selector" | "impact" | "judge"> {
  includesHidden: boolean;
  tags: string[];
  help: string;
  description: string;
  helpUrl: string;
  messages: RuleMessages;
}

/** Runs inside a page. */
function addRules(rules: RuleInPage[], kit: Kit): void {
  const { axe } = globalThis as unknown as { axe: Axe };
  const added = rules.map(toAxe);
  // One call for all: each call goes through all rules, which took half of the time of this script.
  axe.configure({ checks: added.map(({ check }) => check), rules: added.map(({ rule }) => rule) });

  function toAxe({ id, selector, impact, includesHidden, tags, help, description, helpUrl, messages, judge }: RuleInPage) {
    const judgements = new WeakMap<VirtualNode, Judgement | undefined>();
    const judged = (element: Element, node: VirtualNode): Judgement | undefined => {
      if (!judgements.has(node)) judgements.set(node, judge(element as HTMLElement, kit));
      return judgements.get(node);
    };
    const check: CheckSpec = {
      id,
      metadata: { impact, messages },
      evaluate(element, _options, node) {
        const judgement = judged(element, node);
        if (judgement === undefined || judgement === "passes") return true;
        const messageKey = "fails" in judgement ? judgement.fails : judgement.asks;
        this.data({ messageKey, ...judgement.data });
        return "fails" in judgement ? false : undefined;
      },
    };
    const rule: RuleSpec = {
      id,
      selector,
      excludeHidden: !includesHidden,
      tags,
      any: [id],
      matches: (element, node) => judged(element, node) !== undefined,
      metadata: { help, description, helpUrl },
    };
    return { check, rule };
  }
}
