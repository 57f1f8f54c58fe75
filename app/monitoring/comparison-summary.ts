import { worseImpact, worstFirst } from "~/scan/impact";
import type { ElementResult, FindingResult, Impact } from "~/scan/types";
import { CHANGE_KINDS, type ChangeKind, type Changes, type ComparedElement } from "./compare";

/** Maximum number of listed components for each rule and kind. */
const LISTED = 4;

export type RuleFacts = Pick<FindingResult, "ruleId" | "tags" | "help" | "description" | "helpUrl">;

/** Element of one of the compared runs, with its location in the database. */
export interface ChangedElement extends ComparedElement, Pick<ElementResult, "target" | "html" | "htmlCut"> {
  pageId: number;
  pageUrl: string;
  /** Final address of the page after redirects. */
  pageFinalUrl: string | null;
  /** Position in its finding on its page, from 0. */
  position: number;
}

/** Elements with the same source: most likely one component. */
export interface ChangedGroup {
  elements: number;
  pages: number;
  /** First element of the group. */
  element: ChangedElement;
}

export interface RuleChanges extends RuleFacts {
  impact: Impact | null;
  /** Number of elements by kind. */
  counts: Record<ChangeKind, number>;
  /** First groups of each kind; empty for `persisting`. */
  groups: Record<ChangeKind, ChangedGroup[]>;
}

interface OpenGroup {
  elements: number;
  pages: Set<string>;
  element: ChangedElement;
}

interface OpenSum {
  facts: RuleFacts;
  impact: Impact | null;
  counts: Record<ChangeKind, number>;
  groups: Record<ChangeKind, Map<string, OpenGroup>>;
}

/** Sums up the comparisons of all pages by rule. */
export function createComparisonSummary() {
  const sums = new Map<string, OpenSum>();
  return { add, total };

  /** @param impacts of the rule on the page, in either run */
  function add(facts: RuleFacts, impacts: (Impact | null)[], changes: Changes<ChangedElement>): void {
    const sum = sums.get(facts.ruleId) ?? { facts, impact: null, counts: byKind(() => 0), groups: byKind(() => new Map<string, OpenGroup>()) };
    sums.set(facts.ruleId, sum);
    sum.impact = [sum.impact, ...impacts].reduce(worseImpact);
    for (const kind of CHANGE_KINDS) {
      sum.counts[kind] += changes[kind].count;
      if (kind !== "persisting") for (const element of changes[kind].elements) addElement(sum.groups[kind], element);
    }
  }

  /** The most important rules first: by impact, then by the number of elements. */
  function total(): { rules: RuleChanges[]; totals: Record<ChangeKind, number> } {
    const rules = [...sums.values()].map(({ facts, impact, counts, groups }) => ({
      ...facts,
      impact,
      counts,
      groups: byKind((kind) => [...groups[kind].values()].map((group) => ({ ...group, pages: group.pages.size }))),
    }));
    return {
      rules: rules.sort(mostImportantFirst),
      totals: byKind((kind) => rules.reduce((all, { counts }) => all + counts[kind], 0)),
    };
  }
}

function addElement(groups: Map<string, OpenGroup>, element: ChangedElement): void {
  const known = groups.get(element.html);
  if (known) {
    known.elements += 1;
    known.pages.add(element.pageUrl);
  } else if (groups.size < LISTED) {
    groups.set(element.html, { elements: 1, pages: new Set([element.pageUrl]), element });
  }
}

function byKind<Value>(valueOf: (kind: ChangeKind) => Value): Record<ChangeKind, Value> {
  return Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, valueOf(kind)])) as Record<ChangeKind, Value>;
}

const elementsOf = ({ counts }: RuleChanges) => CHANGE_KINDS.reduce((sum, kind) => sum + counts[kind], 0);

const mostImportantFirst = worstFirst<RuleChanges>((one, other) => elementsOf(other) - elementsOf(one) || (one.ruleId < other.ruleId ? -1 : 1));
