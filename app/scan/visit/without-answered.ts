import type { CheckedPage, ElementResult, FindingResult } from "~/scan/types";

type Findings = CheckedPage["findings"];

/** Rules of axe-core that ask, by our rules that answer by measuring. Both report the same element. */
const ASKED_BY: ReadonlyMap<string, string> = new Map([
  ["rampe-autoplay-sound", "no-autoplay-audio"],
  ["rampe-hidden-focus", "aria-hidden-focus"],
]);

/** Removes questions of axe-core that a violation of our rules answers, and violations of our rules that axe-core reports too. */
export function withoutAnswered(findings: Findings): Findings {
  let { violations, incomplete } = findings;
  for (const [own, other] of ASKED_BY) {
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
