import type { CheckedPage, ElementResult, FindingResult } from "~/scan/types";

type Findings = CheckedPage["findings"];

/** Rules that answer by measuring or using the page, and rules that report or ask about the same element by its markup alone. */
const ANSWERS = [
  ["rampe-autoplay-sound", "no-autoplay-audio"],
  ["rampe-hidden-focus", "aria-hidden-focus"],
  ["rampe-opens-by-keyboard", "rampe-scripted-control"],
  ["rampe-opens-by-keyboard", "rampe-mouse-only"],
] as const;

/** Removes questions that a violation of another rule answers, and violations that another rule reports too. */
export function withoutAnswered(findings: Findings): Findings {
  let { violations, incomplete } = findings;
  for (const [own, other] of ANSWERS) {
    violations = without(violations, own, elementsOf(violations, other));
    incomplete = without(incomplete, other, elementsOf(violations, own));
  }
  return { ...findings, violations, incomplete };
}

const keyOf = ({ target }: ElementResult) => JSON.stringify(target);

const elementsOf = (rules: FindingResult[], id: string) => new Set(rules.filter(({ ruleId }) => ruleId === id).flatMap(({ elements }) => elements.map(keyOf)));

function without(rules: FindingResult[], id: string, known: Set<string>): FindingResult[] {
  return rules.flatMap((rule) => {
    if (rule.ruleId !== id) return [rule];
    const elements = rule.elements.filter((element) => !known.has(keyOf(element)));
    const elementCount = rule.elementCount - (rule.elements.length - elements.length);
    return elementCount > 0 ? [{ ...rule, elementCount, elements }] : [];
  });
}
