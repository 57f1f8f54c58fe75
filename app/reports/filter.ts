import { impactRank } from "~/scan/impact";
import { IMPACTS } from "~/scan/types";
import { SORTS, type RuleFilter, type RuleRow, type Sort } from "./report-view";

const MAX_TEXT = 200;

/** Reads a list's filter from its address; ignores invalid values. */
export function readFilter(query: URLSearchParams): RuleFilter {
  const pageId = Number(query.get("page"));
  const criterion = query.get("criterion") ?? "";
  return {
    impact: IMPACTS.find((impact) => impact === query.get("impact")) ?? null,
    criterion: /^\d\.\d\.\d{1,2}$/.test(criterion) ? criterion : null,
    pageId: Number.isSafeInteger(pageId) && pageId > 0 ? pageId : null,
    text: (query.get("q") ?? "").trim().slice(0, MAX_TEXT),
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "importance",
  };
}

/**
 * Filtered and sorted rules. The filter by page has already been applied by the query.
 * @param criteria the numbers of a rule's success criteria
 * @param help a rule's name in the words of the standard
 * @param withText rules that have an element with the text
 */
export function filterRules(
  rules: RuleRow[],
  { impact, criterion, text, sort }: RuleFilter,
  { criteria, help, withText, language }: { criteria: (rule: RuleRow) => string[]; help: (rule: RuleRow) => string; withText: Set<string>; language: string },
): RuleRow[] {
  const needle = text.toLowerCase();
  const speaksOfIt = (rule: RuleRow) =>
    [rule.title.text, help(rule), rule.ruleId].some((name) => name.toLowerCase().includes(needle)) || withText.has(rule.ruleId);
  return rules
    .filter(
      (rule) =>
        (!impact || rule.impact === impact) &&
        (!criterion || criteria(rule).includes(criterion)) &&
        (!needle || speaksOfIt(rule)),
    )
    .sort(ORDERS[sort](language));
}

type Order = (one: RuleRow, other: RuleRow) => number;

/** Stable sort: equal rules keep the given order, which is by importance. */
const ORDERS: Record<Sort, (language: string) => Order> = {
  importance: () => () => 0,
  impact: () => (one, other) => impactRank(one.impact) - impactRank(other.impact),
  elements: () => (one, other) => other.elementCount - one.elementCount,
  pages: () => (one, other) => other.pages - one.pages,
  name: (language) => (one, other) => one.title.text.localeCompare(other.title.text, language),
};

