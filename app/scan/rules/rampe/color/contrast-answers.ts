import type { PageRule } from "~/scan/rules/rampe/page-rule";
import type { CheckedPage, ElementResult, FindingResult } from "~/scan/types";
import type { MeasuredText } from "./judge-texts";

type Findings = CheckedPage["findings"];

/** A rule that judges measured contrast. */
export interface WantedRule {
  rule: PageRule;
  /** Result of the rule, without elements so far. */
  result: FindingResult;
}

/** Indexes among the open questions. */
export const failedOf = (measured: MeasuredText[]) => measured.flatMap(({ index, outcome }) => (outcome === "fails" ? [index] : []));

/** Answers of one rule. */
export interface Answers extends WantedRule {
  open: FindingResult;
  /** Measured texts by index among the open questions. */
  measured: Map<number, MeasuredText>;
}

export function withAnswers(findings: Findings, { rule, result, open, measured }: Answers): Findings {
  if (measured.size === 0) return findings;
  const left = { ...open, elementCount: open.elementCount - measured.size, elements: open.elements.filter((_, index) => !measured.has(index)) };
  return {
    ...withOutcomes(findings, { rule, result, open, measured }),
    incomplete: findings.incomplete.flatMap((finding) => (finding !== open ? [finding] : left.elementCount > 0 ? [left] : [])),
  };
}

/** Contrast required at level AAA, by the contrast required at level AA. */
export const ENHANCED = new Map([
  [4.5, 7],
  [3, 4.5],
]);

/** Also asks about unmeasured texts. The questions of axe-core's own rule for level AAA replace ours, unless the measurement answers them. */
export function withEnhancedAnswers(findings: Findings, answers: Answers, required: number[], questions: Map<number, string>): Findings {
  const { rule, result, open, measured } = answers;
  const keyOf = ({ target }: ElementResult) => JSON.stringify(target);
  const answered = new Set(open.elements.flatMap((element, index) => (measured.has(index) ? [keyOf(element)] : [])));
  const others = findings.incomplete.find(({ ruleId }) => ruleId === "color-contrast-enhanced");
  const left = others?.elements.filter((element) => !answered.has(keyOf(element))) ?? [];
  const asked = new Set(left.map(keyOf));
  const questioned = open.elements.flatMap((element, index): ElementResult[] => {
    const ratio = ENHANCED.get(required[index] ?? 0);
    if (ratio === undefined || measured.has(index) || asked.has(keyOf(element))) return [];
    const check = { group: "any" as const, id: rule.id, data: { messageKey: "open", required: ratio }, message: questions.get(ratio) ?? "" };
    return [{ ...element, impact: rule.impact, checks: [check] }];
  });
  if (measured.size === 0 && questioned.length === 0) return findings;
  const { violations, passes, inapplicable } = withOutcomes(findings, answers);
  const incomplete = findings.incomplete.flatMap((finding) => {
    if (finding !== others) return [finding];
    const elementCount = finding.elementCount - (finding.elements.length - left.length);
    return elementCount > 0 ? [{ ...finding, elementCount, elements: left }] : [];
  });
  const question = { ...result, impact: rule.impact, elementCount: questioned.length, elements: questioned };
  return { violations, passes, inapplicable, incomplete: questioned.length > 0 ? [...incomplete, question] : incomplete };
}

function withOutcomes(findings: Findings, { rule, result, open, measured }: Answers): Findings {
  const texts = [...measured.values()];
  const failed = failedOf(texts).flatMap((index) => {
    const element = open.elements[index];
    const { data, message } = measured.get(index) as MeasuredText;
    if (!element) return [];
    return [{ ...element, impact: rule.impact, checks: [{ group: "any" as const, id: rule.id, data, message }] }];
  });
  const passed = texts.filter(({ outcome }) => outcome === "passes").length;
  return {
    ...findings,
    violations: [...findings.violations, ...(failed.length > 0 ? [{ ...result, impact: rule.impact, elementCount: failed.length, elements: failed }] : [])],
    passes: [...findings.passes, ...(passed > 0 ? [{ ...result, elementCount: passed }] : [])],
    inapplicable: findings.inapplicable.filter((finding) => finding !== result),
  };
}
