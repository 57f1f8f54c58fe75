import { decidedByKeys } from "~/scan/interaction/keys/widgets";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { mouseOnly } from "~/scan/rules/rampe/keyboard/mouse-only";
import { scriptedControl } from "~/scan/rules/rampe/keyboard/scripted-control";
import type { CheckedPage, ElementResult, FindingResult } from "~/scan/types";

/** Rules that ask whether a control reacts to keys; key of that message. */
const ASKING = [mouseOnly.id, scriptedControl.id];
const QUESTION = "keys";

/**
 * Withdraws questions whether controls react to keys, if keys were pressed on them since: reacting controls pass; the others are
 * violations of another rule already.
 * @param world isolated world in which the keys were pressed
 * @param page page whose findings are changed
 */
export async function withdrawQuestions(world: IsolatedWorld, { findings }: Pick<CheckedPage, "findings">): Promise<void> {
  for (const asked of findings.incomplete.filter(({ ruleId }) => ASKING.includes(ruleId))) {
    const decided = await world.call(decidedByKeys, asked.elements.map(selectorOf));
    const isOpen = (_: ElementResult, index: number) => decided[index] === null;
    const left = asked.elements.filter(isOpen);
    const works = decided.filter((outcome) => outcome === true).length;
    if (left.length === asked.elements.length) continue;
    const elementCount = asked.elementCount - (asked.elements.length - left.length);
    findings.incomplete = findings.incomplete.flatMap((finding) => (finding !== asked ? [finding] : elementCount > 0 ? [{ ...asked, elementCount, elements: left }] : []));
    if (works > 0) addPassed(findings, asked, works);
    else if (!isKnown(findings, asked)) findings.inapplicable.push({ ...asked, impact: null, elementCount: 0, elements: [] });
  }
}

/** Selector of an element; "" for another question, or an element outside of the outermost document. */
function selectorOf({ target, checks }: ElementResult): string {
  const [selector] = target;
  const isAboutKeys = checks.some(({ data }) => (data as { messageKey?: unknown } | null | undefined)?.messageKey === QUESTION);
  return isAboutKeys && target.length === 1 && typeof selector === "string" ? selector : "";
}

function addPassed(findings: CheckedPage["findings"], asked: FindingResult, count: number): void {
  const passed = findings.passes.find(({ ruleId }) => ruleId === asked.ruleId);
  if (passed) passed.elementCount += count;
  else findings.passes.push({ ...asked, impact: null, elementCount: count, elements: [] });
}

const isKnown = (findings: CheckedPage["findings"], { ruleId }: FindingResult) => [...findings.violations, ...findings.incomplete, ...findings.passes].some((finding) => finding.ruleId === ruleId);
