import { within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CheckedPage, ElementResult, FindingResult, RuleChoice } from "~/scan/types";
import { drawnContrast } from "./drawn-contrast";
import { drawnContrastEnhanced } from "./drawn-contrast-enhanced";
import { ENHANCED, failedOf, withAnswers, withEnhancedAnswers, type Answers, type WantedRule } from "./contrast-answers";
import { forgetTexts, nextTexts, paintTexts, type Clip } from "./drawn-texts";
import { contrastQuestion, judgeTexts, showMeasured, type ContrastCheck, type MeasuredText } from "./judge-texts";

/** Rules that judge by these pictures. */
const MEASURING = [drawnContrast, drawnContrastEnhanced];
/** The rule of axe-core whose open questions are answered. */
const ASKING_RULE = "color-contrast";
/** Maximum number of views; each takes three pictures. */
const MOST_VIEWS = 12;
/** Time for the last steps, in which a hanging page would block. */
const FINISH_WITHIN_MS = 500;
/** Colours of the text in the three pictures: black and white show the place of the letters, transparent shows their background. */
const PAINTS = ["#000", "#fff", "transparent"];

type Findings = CheckedPage["findings"];

const wantedRules = ({ inapplicable }: Findings): WantedRule[] =>
  MEASURING.flatMap((rule) => inapplicable.filter(({ ruleId }) => ruleId === rule.id).map((result) => ({ rule, result })));
const openOf = ({ incomplete }: Findings) => incomplete.find(({ ruleId }) => ruleId === ASKING_RULE);

/** Adds axe-core's rule, whose open questions our rules answer, to a choice of the latter. */
export function withAskingRule(rules: RuleChoice = {}): RuleChoice {
  return MEASURING.some(({ id }) => rules.only?.includes(id)) ? { ...rules, only: [...new Set([...(rules.only ?? []), ASKING_RULE])] } : rules;
}

/** Removes the results of rules that ran only because others need them. */
export function withoutUnasked(findings: Findings, { only }: RuleChoice = {}): Findings {
  if (!only) return findings;
  const asked = (rules: FindingResult[]) => rules.filter(({ ruleId }) => only.includes(ruleId));
  const { violations, incomplete, passes, inapplicable } = findings;
  return { violations: asked(violations), incomplete: asked(incomplete), passes: asked(passes), inapplicable: asked(inapplicable) };
}

/** Was such a rule requested, and is there something to measure? */
export const canMeasureContrast = (findings: Findings): boolean => wantedRules(findings).length > 0 && openOf(findings) !== undefined;

/**
 * Answers open questions of axe-core's `color-contrast` on pictures of the page: such elements move to the violations or passes of
 * `rampe-drawn-contrast`; the rest stay open. At level AAA, `rampe-drawn-contrast-enhanced` judges the same texts, and asks about the
 * rest, because axe-core passes them. If nothing was measured, for lack of time or by an error, the rules are named in `partial`.
 * It scrolls the page and changes colours for a moment, so it must come after all rules. Never fails.
 * @param isolatedWorld isolated world of the analysis
 * @param page page whose findings are changed
 * @param failedImages addresses of images that did not load
 * @param budgetMs time for all elements together
 */
export async function measureContrast(isolatedWorld: IsolatedWorld, page: Pick<CheckedPage, "findings" | "partial">, failedImages: string[], budgetMs: number): Promise<void> {
  const [wanted, open] = [wantedRules(page.findings), openOf(page.findings)];
  if (wanted.length === 0 || !open) return;

  const checks = wanted.map(({ rule: { id } }): ContrastCheck => ({ id, isEnhanced: id === drawnContrastEnhanced.id }));
  const measured: MeasuredText[] = [];
  const required = open.elements.map(requiredRatio);
  const questions = new Map<number, string>();
  let isOver = false;
  // The page has been checked: errors leave questions open.
  const isWhole = budgetMs > 0 && (await within(budgetMs, measureAll()).catch(() => false));
  isOver = true;
  if (budgetMs > 0) await within(FINISH_WITHIN_MS, finish()).catch(() => {});
  if (measured.length === 0 && !isWhole) {
    const ids = wanted.map(({ rule: { id } }) => id);
    page.partial = [...page.partial, ...ids].sort();
    page.findings = { ...page.findings, inapplicable: page.findings.inapplicable.filter(({ ruleId }) => !ids.includes(ruleId)) };
    return;
  }
  for (const { rule, result } of wanted) {
    const answers: Answers = { rule, result, open, measured: new Map(measured.flatMap((text) => (text.checkId === rule.id ? [[text.index, text]] : []))) };
    page.findings = rule === drawnContrastEnhanced ? withEnhancedAnswers(page.findings, answers, required, questions) : withAnswers(page.findings, answers);
  }

  async function measureAll(): Promise<boolean> {
    await isolatedWorld.call(forgetTexts);
    for (const ratio of ENHANCED.values()) questions.set(ratio, await isolatedWorld.call(contrastQuestion, drawnContrastEnhanced.id, ratio));
    for (let view = 0; view < MOST_VIEWS; view += 1) {
      const clip = await isolatedWorld.call(nextTexts, required, failedImages);
      if (!clip) return true;
      const texts = await isolatedWorld.call(judgeTexts, await takePictures(clip), clip, checks);
      if (!isOver) measured.push(...texts);
    }
    return false;
  }

  async function finish(): Promise<void> {
    if (!isWhole) await isolatedWorld.call(paintTexts, null);
    for (const { id } of checks) await isolatedWorld.call(showMeasured, failedOf(measured.filter(({ checkId }) => checkId === id)));
  }

  async function takePictures({ pageX: x, pageY: y, width, height }: Clip): Promise<string[]> {
    const pictures: string[] = [];
    try {
      for (const paint of PAINTS) {
        if (isOver) throw new Error("The time is over.");
        await isolatedWorld.call(paintTexts, paint);
        const { data } = await isolatedWorld.session.send("Page.captureScreenshot", {
          format: "png",
          optimizeForSpeed: true,
          clip: { x, y, width, height, scale: 1 },
        });
        pictures.push(data);
      }
    } finally {
      await isolatedWorld.call(paintTexts, null);
    }
    return pictures;
  }
}

/** @returns 0 if axe-core gives no ratio, for example because the text is a single letter */
function requiredRatio({ checks }: ElementResult): number {
  const data = checks.find(({ id }) => id === ASKING_RULE)?.data as { expectedContrastRatio?: unknown; messageKey?: unknown } | null | undefined;
  if (data?.messageKey === "shortTextContent") return 0;
  return Number.parseFloat(String(data?.expectedContrastRatio)) || 0;
}
