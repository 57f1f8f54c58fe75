import { within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CheckedPage, ElementResult, FindingResult, RuleChoice } from "~/scan/types";
import { drawnContrast } from "./drawn-contrast";
import { forgetTexts, nextTexts, paintTexts, type Clip } from "./drawn-texts";
import { judgeTexts, showMeasured, type MeasuredText } from "./judge-texts";

/** The rule of axe-core whose open questions are answered. */
const ASKING_RULE = "color-contrast";
/** Each view takes three pictures. */
const MOST_VIEWS = 12;
/** For the last steps, which a page that hangs would keep waiting. */
const FINISH_WITHIN_MS = 500;
/** Text in black and in white shows where letters are, text without colour what is behind them. */
const PAINTS = ["#000", "#fff", "transparent"];

type Findings = CheckedPage["findings"];

const ruleOf = ({ inapplicable }: Findings) => inapplicable.find(({ ruleId }) => ruleId === drawnContrast.id);
const openOf = ({ incomplete }: Findings) => incomplete.find(({ ruleId }) => ruleId === ASKING_RULE);

/** Adds axe-core's rule, whose open questions `rampe-drawn-contrast` answers, to a choice of the latter. */
export function withAskingRule(rules: RuleChoice = {}): RuleChoice {
  return rules.only?.includes(drawnContrast.id) ? { ...rules, only: [...new Set([...rules.only, ASKING_RULE])] } : rules;
}

/** Removes the results of rules that ran only because others need them. */
export function withoutUnasked(findings: Findings, { only }: RuleChoice = {}): Findings {
  if (!only) return findings;
  const asked = (rules: FindingResult[]) => rules.filter(({ ruleId }) => only.includes(ruleId));
  const { violations, incomplete, passes, inapplicable } = findings;
  return { violations: asked(violations), incomplete: asked(incomplete), passes: asked(passes), inapplicable: asked(inapplicable) };
}

/** Whether the rule was wanted, and there is something to measure. */
export const canMeasureContrast = (findings: Findings): boolean => Boolean(ruleOf(findings) && openOf(findings));

/**
 * Answers what axe-core's `color-contrast` left open, on pictures of the page: such elements move to the violations or passes of
 * `rampe-drawn-contrast`; the rest stay open. If it measured nothing, for lack of time or by an error, the rule is named in `partial`.
 * It scrolls the page and changes colours for a moment, so it must come after all rules. Never fails.
 * @param isolatedWorld isolated world of the analysis
 * @param page whose findings are changed
 * @param failedImages addresses of images that did not load
 * @param budgetMs for all elements together
 */
export async function measureContrast(isolatedWorld: IsolatedWorld, page: Pick<CheckedPage, "findings" | "partial">, failedImages: string[], budgetMs: number): Promise<void> {
  const [rule, open] = [ruleOf(page.findings), openOf(page.findings)];
  if (!rule || !open) return;

  const measured = new Map<number, MeasuredText>();
  const required = open.elements.map(requiredRatio);
  let isOver = false;
  // The page has been checked: errors leave questions open.
  const isWhole = await within(budgetMs, measureAll()).catch(() => false);
  isOver = true;
  await within(FINISH_WITHIN_MS, finish()).catch(() => {});
  if (measured.size === 0) {
    if (isWhole) return;
    page.partial = [...page.partial, rule.ruleId].sort();
    page.findings = { ...page.findings, inapplicable: page.findings.inapplicable.filter((each) => each !== rule) };
    return;
  }
  page.findings = withAnswers(page.findings, { rule, open, measured });

  async function measureAll(): Promise<boolean> {
    await isolatedWorld.call(forgetTexts);
    for (let view = 0; view < MOST_VIEWS; view += 1) {
      const clip = await isolatedWorld.call(nextTexts, required, failedImages);
      if (!clip) return true;
      for (const text of await isolatedWorld.call(judgeTexts, await takePictures(clip), clip, drawnContrast.id)) {
        if (!isOver) measured.set(text.index, text);
      }
    }
    return false;
  }

  async function finish(): Promise<void> {
    if (!isWhole) await isolatedWorld.call(paintTexts, null);
    await isolatedWorld.call(showMeasured, failedOf(measured));
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

/** @returns 0 if axe-core does not tell, for example because the text is a single letter */
function requiredRatio({ checks }: ElementResult): number {
  const data = checks.find(({ id }) => id === ASKING_RULE)?.data as { expectedContrastRatio?: unknown; messageKey?: unknown } | null | undefined;
  if (data?.messageKey === "shortTextContent") return 0;
  return Number.parseFloat(String(data?.expectedContrastRatio)) || 0;
}

const failedOf = (measured: Map<number, MeasuredText>) => [...measured.values()].filter(({ fails }) => fails).map(({ index }) => index);

interface Answers {
  rule: FindingResult;
  open: FindingResult;
  measured: Map<number, MeasuredText>;
}

function withAnswers(findings: Findings, { rule, open, measured }: Answers): Findings {
  const failed = failedOf(measured).flatMap((index) => {
    const element = open.elements[index];
    const { data, message } = measured.get(index) as MeasuredText;
    if (!element) return [];
    return [{ ...element, impact: drawnContrast.impact, checks: [{ group: "any" as const, id: rule.ruleId, data, message }] }];
  });
  const passed = measured.size - failed.length;
  const left = { ...open, elementCount: open.elementCount - measured.size, elements: open.elements.filter((_, index) => !measured.has(index)) };
  return {
    violations: [
      ...findings.violations,
      ...(failed.length > 0 ? [{ ...rule, impact: drawnContrast.impact, elementCount: failed.length, elements: failed }] : []),
    ],
    incomplete: findings.incomplete.flatMap((finding) => (finding !== open ? [finding] : left.elementCount > 0 ? [left] : [])),
    passes: [...findings.passes, ...(passed > 0 ? [{ ...rule, elementCount: passed }] : [])],
    inapplicable: findings.inapplicable.filter((finding) => finding !== rule),
  };
}
