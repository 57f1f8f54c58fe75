import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { CATEGORIES, type Category, type CheckedPage, type Condition, type ElementResult, type FindingResult, type ShownIn } from "~/scan/types";

/** Maximum number of listed elements of a finding, as in a page's report. */
const MOST_ELEMENTS = 1_000;

/**
 * Adds findings in one more condition, of rules that had run before. An element known from another condition is not counted
 * again: it is in both.
 * @param page page whose findings are changed
 * @param isOpened the findings are in opened content: contents opened one after the other may be in one place
 */
export function addFindings({ findings }: CheckedPage, later: Record<Category, FindingResult[]>, condition: Condition, { isOpened = false } = {}): void {
  for (const category of CATEGORIES) {
    for (const finding of later[category]) {
      // A rule that applied in the usual condition is not inapplicable because of another condition.
      if (category === "inapplicable" && isKnown(findings, finding)) continue;
      const known = findings[category].find((each) => isSameRule(each, finding));
      if (known) merge(known, finding, condition, isOpened);
      else findings[category].push({ ...finding, conditions: [condition], elements: finding.elements.map((element) => ({ ...element, conditions: [condition] })) });
    }
  }
  withoutJudged(findings);
}

/**
 * Adds findings of rules in the same condition, on elements that were not judged before, such as those of a dialog that was closed since.
 * @param page page whose findings are changed
 */
export function addElements({ findings }: Pick<CheckedPage, "findings">, further: Record<Category, FindingResult[]>): void {
  for (const category of CATEGORIES) {
    for (const finding of further[category]) {
      const known = findings[category].find((each) => isSameRule(each, finding));
      if (known) {
        known.elements.push(...finding.elements.slice(0, MOST_ELEMENTS - known.elements.length));
        known.elementCount += finding.elementCount;
      } else if (category !== "inapplicable" || !isKnown(findings, finding)) findings[category].push(finding);
    }
  }
  withoutJudged(findings);
}

/** Rules with another outcome are not inapplicable. */
function withoutJudged(findings: CheckedPage["findings"]): void {
  const judged = (["violations", "incomplete", "passes"] as const).flatMap((category) => findings[category]);
  findings.inapplicable = findings.inapplicable.filter((finding) => !judged.some((each) => isSameRule(each, finding)));
}

/** Is an element not yet among the results of its rule? */
export function isNewTo({ findings }: CheckedPage, later: Record<Category, FindingResult[]>, { isOpened = false } = {}): (element: ElementResult) => boolean {
  const known = new Set<ElementResult>();
  for (const category of CATEGORIES) {
    for (const finding of later[category]) {
      const before = new Set(findings[category].find((each) => isSameRule(each, finding))?.elements.map((element) => keyOf(element, isOpened)));
      for (const element of finding.elements) if (before.has(keyOf(element, isOpened))) known.add(element);
    }
  }
  return (element) => !known.has(element);
}

function merge(known: FindingResult, later: FindingResult, condition: Condition, isOpened: boolean): void {
  const usual = [CONDITION_OF.get(known.ruleId) ?? ("desktop" as const)];
  known.conditions = withCondition(known.conditions ?? usual, condition);
  if (later.elements.length === 0) return;
  const byTarget = new Map(known.elements.map((element) => [keyOf(element, isOpened), element]));
  let isAgain = 0;
  for (const element of later.elements) {
    const same = byTarget.get(keyOf(element, isOpened));
    if (same) {
      same.conditions = withCondition(same.conditions ?? usual, condition);
      isAgain += 1;
    } else if (known.elements.length < MOST_ELEMENTS) known.elements.push({ ...element, conditions: [condition] });
  }
  known.elementCount += later.elementCount - isAgain;
}

const keyOf = ({ target, html }: ElementResult, isOpened: boolean) => JSON.stringify(isOpened ? [target, html] : target);

const withCondition = (conditions: ShownIn[], condition: Condition): ShownIn[] => [...new Set([...conditions, condition])];

const isSameRule = (one: FindingResult, other: FindingResult) => one.ruleId === other.ruleId && one.source === other.source;

const isKnown = (findings: CheckedPage["findings"], finding: FindingResult) => CATEGORIES.some((category) => findings[category].some((each) => isSameRule(each, finding)));
