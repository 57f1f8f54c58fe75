import type { NodeSpec, RuleReport } from "~/scan/rules/axe-internals";

/** Our own rules' part in a report; absent when axe-core runs alone. */
export interface RepeatedGlobals {
  withoutRepeated?: (rules: RuleReport[], others: RuleReport[]) => RuleReport[];
}

/**
 * Defines `withoutRepeated`: removes from results of our own rules the elements for which axe-core reports the same criterion, in
 * these rules or in others. Runs inside a page; it is sent as source text.
 */
export function defineWithoutRepeated(): void {
  (globalThis as RepeatedGlobals).withoutRepeated = (rules, others) => {
    const known = new Set([...rules, ...others].filter((rule) => !isOwn(rule)).flatMap((rule) => rule.nodes.flatMap(({ node }) => keysOf(rule, node))));
    const kept = rules.map((rule) => (isOwn(rule) ? { ...rule, nodes: rule.nodes.filter(({ node }) => !keysOf(rule, node).some((key) => known.has(key))) } : rule));
    return kept.filter(({ nodes }) => nodes.length > 0);
  };

  function isOwn({ id }: RuleReport): boolean {
    return id.startsWith("rampe-");
  }

  function keysOf({ tags }: RuleReport, { selector }: NodeSpec): string[] {
    const element = JSON.stringify(selector);
    return tags.filter((tag) => /^wcag\d{3,4}$/.test(tag)).map((criterion) => `${criterion} ${element}`);
  }
}
