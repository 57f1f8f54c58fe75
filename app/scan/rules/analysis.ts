import { axeOptions, isAsked, type AxeOptions } from "./axe-options";
import { OutOfTime, within } from "~/platform/async/deadline";
import { LONGEST_ADDRESS, type FrameDirectory } from "~/scan/page/frame-directory";
import { prepareAnalyser, type Report, type ReportLimits } from "./analyser";
import { addLaterPartials, addPartial, finishReport, replaceLaterPartial, takePartial } from "./analyser-partials";
import { beginAgain, countRules, forgetRules, frameElement, putRunningRuleAside, runRules, takeFinished, type Appearing } from "./analyser-runs";
import { watchArrivals } from "~/scan/page/arrivals";
import type { FrameContext } from "./axe-internals";
import { describeEmbedded } from "~/scan/page/embedded";
import { definePause } from "~/scan/page/pause";
import { defineElementContext } from "./element-context";
import { ADVANCED_RULES, PAGE_RULES, WATCHED_RULES } from "./rampe/index";
import { withAskingRule } from "./rampe/color/measure-contrast";
import { SITE_RULES } from "./rampe/site/index";
import { labelPosition } from "./rampe/forms/label-position";
import { visibleLabel } from "./rampe/forms/visible-label";
import { targetSizeEnhanced } from "./rampe/layout/target-size-enhanced";
import { oneSidedColors } from "./rampe/structure/one-sided-colors";
import { readingOrder } from "./rampe/structure/reading-order";
import { detectLanguages } from "./rampe/languages/detect";
import { collectListeners } from "./rampe/listeners/collect-listeners";
import { keepListeners } from "./rampe/listeners/keep-listeners";
import { awaitSound } from "./rampe/media/await-sound";
import { collectAnimatedImages } from "./rampe/media/collect-animated-images";
import { keepAnimatedImages } from "./rampe/media/keep-animated-images";
import { collectTimeLimits } from "./rampe/timing/collect-time-limits";
import { collectDrawnWords } from "./rampe/text-alternatives/drawn-words";
import { watchSlides } from "./rampe/media/watch-slides";
import { watchTexts } from "./rampe/text/watch-texts";
import { patchAxeTextBlockMatcher } from "./text-blocks";
import { patchAxeVirtualNodes } from "./virtual-nodes";
import { watchRules } from "./rule-watch";
import { callOrTerminateScripts, openResponsiveIsolatedWorld, silenceScripts, stopScripts } from "~/scan/page/stop-scripts";
import { CONDITIONS, type Condition, type RuleChoice, type Standard } from "~/scan/types";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

export interface AnalysisOptions {
  standard: Standard;
  rules?: RuleChoice;
  /** Same as in `PageRequest`. */
  advanced?: boolean;
  /** axe-core as script text. */
  script: string;
  /** Our own rules as script text (`rampe/script.ts`); "" for axe-core alone. */
  ownRules: string;
  frames: FrameDirectory;
  /** Time in ms; rules not finished by then are listed in `partial`. */
  budgetMs: number;
  /** Called when scripts of the page had to be silenced, because they blocked its answers. */
  onSilence?: () => void;
}

export interface Analysis extends Report {
  /** Ids of rules that ran out of time in any frame. */
  partial: string[];
  /** Addresses of frames that could not be analysed. */
  skippedFrames: string[];
  /** Worlds in which rules have run: of the document, then of its frames. They are watched for later changes. */
  isolatedWorlds: IsolatedWorld[];
  /** Inner frames among them, in which rules can run again (`analyseFrameAgain`). */
  innerFrames: InnerFrame[];
}

const REPORTER = "rampe";

const LIMITS: ReportLimits = {
  htmlBytes: 2_048,
  elementsPerFinding: 1_000,
  reportCharacters: 30_000_000,
  selectorCharacters: 2_048,
  dataCharacters: 4_096,
  messageCharacters: 1_000,
};

const CONTEXT_CHARACTERS = 200;
/** Part of the rules' time for each frame; few pages need a tenth of it. */
const CONTEXTS_MS = 500;

/** Maximum number of frames. More frames mean an attack or an accident. */
const MOST_FRAMES = 50;

/** Time reserved from the budget for collecting results and making the report. */
const reserveOf = (budgetMs: number) => Math.min(3_000, budgetMs * 0.2);

/** Share of the time for rules, for each kind of facts. */
const SHARE_FOR_GATHERING = 0.1;

/** A run needs at least this time to start. */
const SHORTEST_RUN_MS = 250;
/** Time for all results of a page, after all rules have run. */
const REPORT_WITHIN_MS = 15_000;

/**
 * Runs axe-core on a document and its inner frames, in isolated worlds.
 * @throws {OutOfTime} when not even some of the rules could run
 */
export async function analyse(main: IsolatedWorld, options: AnalysisOptions): Promise<Analysis> {
  const { frames, script, ownRules, budgetMs, advanced = false } = options;
  const asked = withoutSiteRules(options.rules);
  const rules = advanced || !ownRules ? withAskingRule(asked) : withoutAdvanced(asked);
  const later = advanced && ownRules ? laterRules(options.standard, options.rules) : [];
  // Rules of the walk run again in inner frames that it enters.
  const [axe, axeInFrames] = [withoutLater(rules, later), rules].map((choice) => axeOptions(options.standard, REPORTER, choice)) as [AxeOptions, AxeOptions];
  const runEnd = performance.now() + budgetMs - reserveOf(budgetMs);
  const left = () => runEnd - performance.now();
  const partial = new Set<string>();
  const skippedFrames: string[] = [];
  const isolatedWorlds: IsolatedWorld[] = [];
  const innerFrames: InnerFrame[] = [];
  /** Number of inner frames with or without a result. */
  let places = 0;
  let frameCount = 0;

  async function analyseFrame(isolatedWorld: IsolatedWorld, context: FrameContext): Promise<FrameContext[]> {
    await within(Math.max(SHORTEST_RUN_MS, left()), callIn(isolatedWorld, () => prepare(isolatedWorld, script, ownRules)));
    if (ownRules && advanced) await gather(isolatedWorld);
    const inner = await runWithin(left, isolatedWorld, context, isolatedWorld === main ? axe : axeInFrames, frames.hasInnerFrames(), options.onSilence);
    const { finished, unfinished } = await callIn(isolatedWorld, () => isolatedWorld.call(countRules));
    if (finished === 0) throw new OutOfTime("no rule was through in time");
    for (const rule of unfinished) partial.add(rule);
    isolatedWorlds.push(isolatedWorld);
    return inner;
  }

  /** Gathers facts for the advanced rules, except in frames. Rules whose facts could not be gathered in time count as unfinished. */
  async function gather(isolatedWorld: IsolatedWorld): Promise<void> {
    if (isolatedWorld !== main) {
      await callIn(isolatedWorld, () => Promise.all([isolatedWorld.call(keepListeners, { global: "rampeListeners", types: [] }), isolatedWorld.call(keepAnimatedImages, [])]));
      return;
    }
    await callIn(isolatedWorld, () => Promise.all([isolatedWorld.call(watchTexts), isolatedWorld.call(watchSlides)]));
    for (const collect of [collectListeners, collectAnimatedImages, collectTimeLimits, collectDrawnWords, awaitSound]) {
      const late = new AbortController();
      await within(Math.max(SHORTEST_RUN_MS, left() * SHARE_FOR_GATHERING), collect(isolatedWorld, late.signal)).catch(() => {});
      late.abort();
    }
  }

  /** Analyses frames one after the other, in the order in which axe expects the results. */
  async function analyseInside(isolatedWorld: IsolatedWorld, contexts: FrameContext[]): Promise<void> {
    if (!frames.hasInnerFrames()) return;
    const { toCome, unseen } = await callIn(isolatedWorld, () =>
      isolatedWorld.call(describeEmbedded, MOST_FRAMES, LONGEST_ADDRESS),
    );
    skippedFrames.push(...unseen);
    for (const [index, context] of contexts.entries()) {
      const address = toCome[index];
      if (address) {
        await skipFrame(address);
        continue;
      }
      const frameId = (await callIn(isolatedWorld, () => isolatedWorld.node(frameElement, index)))?.frameId;
      const frame = frameId && (await openFrame(isolatedWorld, frameId));
      const inner = frame && (await analyseInner(frame, context));
      if (inner) {
        await analyseInside(frame, inner);
        continue;
      }
      await skipFrame(frameId ? frames.innerFrame(frameId).url : "");
    }
  }

  async function skipFrame(address: string) {
    await callIn(main, () => main.call(addPartial, "null", later));
    places += 1;
    skippedFrames.push(address);
  }

  async function openFrame(parent: IsolatedWorld, frameId: string): Promise<IsolatedWorld | undefined> {
    frameCount += 1;
    if (frameCount > MOST_FRAMES || left() < SHORTEST_RUN_MS || !frames.innerFrame(frameId).shown)
      return undefined;
    const session = frames.sessionOf(frameId) ?? parent.session;
    return openResponsiveIsolatedWorld(session, frameId, options.onSilence).catch(() => undefined);
  }

  async function analyseInner(frame: IsolatedWorld, context: FrameContext): Promise<FrameContext[] | undefined> {
    try {
      const inner = await analyseFrame(frame, context);
      const partial = await callIn(frame, () => frame.call(takePartial));
      await callIn(main, () => main.call(addPartial, partial, later));
      innerFrames.push({ world: frame, context, place: places });
      places += 1;
      return inner;
    } catch {
      return undefined;
    }
  }

  function callIn<Answer>(isolatedWorld: IsolatedWorld, task: () => Promise<Answer>): Promise<Answer> {
    return callOrTerminateScripts(isolatedWorld.session, task, options.onSilence);
  }

  await analyseInside(main, await analyseFrame(main, { exclude: [] }));
  // A large page's report takes long, so this is the last chance to notice a page that hangs.
  await callIn(main, () => main.call(countRules));
  const report = JSON.parse(await within(REPORT_WITHIN_MS, main.call(finishReport, axe))) as Report;
  return { ...report, partial: [...partial].sort(), skippedFrames, isolatedWorlds, innerFrames };
}

/** An inner frame that was analysed. */
export interface InnerFrame {
  world: IsolatedWorld;
  context: FrameContext;
  /** Place in the order of results. */
  place: number;
}

/** axe-core knows only rules about pages. */
function withoutSiteRules(rules: RuleChoice = {}): RuleChoice {
  const ids = SITE_RULES.map(({ id }) => id);
  const only = rules.only?.filter((id) => !ids.includes(id));
  return { only: only?.length === 0 ? [QUICK_RULE] : only, without: rules.without?.filter((id) => !ids.includes(id)) };
}

function withoutAdvanced({ only, without = [] }: RuleChoice = {}): RuleChoice {
  return { only: only?.filter((id) => !ADVANCED_RULES.has(id)), without: [...without, ...ADVANCED_RULES] };
}

/** A quick rule, because axe-core runs no empty list of rules. Its result is not part of the report (`withoutUnasked`). */
const QUICK_RULE = "document-title";

function withoutLater({ only, without = [] }: RuleChoice = {}, later: string[]): RuleChoice {
  const now = only?.filter((id) => !later.includes(id));
  return { only: now?.length === 0 ? [QUICK_RULE] : now, without: [...without, ...later] };
}

/**
 * Ids of the rules that an advanced analysis runs after all others, in conditions of their own.
 * @param conditions limits the rules to these
 */
export function rulesInConditions(standard: Standard, rules?: RuleChoice, conditions: readonly Condition[] = CONDITIONS): string[] {
  return askedRules(standard, rules).flatMap(({ id, condition }) => (condition && conditions.includes(condition) ? [id] : []));
}

/** Ids of the rules that an advanced analysis runs when the page has been watched. */
export function rulesAfterWatch(standard: Standard, rules?: RuleChoice): string[] {
  return askedRules(standard, rules).flatMap(({ id }) => (WATCHED_RULES.has(id) ? [id] : []));
}

const laterRules = (standard: Standard, rules?: RuleChoice): string[] => [...rulesInConditions(standard, rules), ...rulesAfterWatch(standard, rules)];

const askedRules = (standard: Standard, rules?: RuleChoice): typeof PAGE_RULES => PAGE_RULES.filter((rule) => isAsked(rule, standard, rules));

/** Rules of axe-core about colours. */
const COLOR_RULES = ["color-contrast", "color-contrast-enhanced", "link-in-text-block"];

/** Rules of axe-core and ours about sizes, distances and what is visible of a label or an order. */
const LAYOUT_RULES = ["target-size", "scrollable-region-focusable", ...[targetSizeEnhanced, visibleLabel, labelPosition, readingOrder].map(({ id }) => id)];

/** Ids of the rules, among those of a result, whose outcome depends on the colours in which a page is shown. */
export function rulesOfColors(findings: Report["findings"]): string[] {
  const own = PAGE_RULES.filter(({ category, condition, id }) => category === "color" && condition === undefined && id !== oneSidedColors.id);
  const ran = ranAmong([...COLOR_RULES, ...own.map(({ id }) => id)], findings);
  // If all questions were answered, the asking rule itself has no result.
  return withAskingRule({ only: ran }).only ?? ran;
}

/** Ids of the rules, among those of a result, whose outcome depends on the layout, and which need no condition of their own. */
export const rulesOfLayout = (findings: Report["findings"]): string[] => ranAmong(LAYOUT_RULES, findings);

function ranAmong(ids: string[], findings: Report["findings"]): string[] {
  const ran = new Set(Object.values(findings).flat().map(({ ruleId }) => ruleId));
  return ids.filter((id) => ran.has(id));
}

/**
 * Runs further rules, or some again, in a world in which `analyse` has run, while the page is in their condition. Inner frames are
 * not analysed again.
 * @param budgetMs time in ms; rules not finished by then are listed in `partial`
 */
export async function analyseAgain(main: IsolatedWorld, standard: Standard, only: string[], budgetMs: number): Promise<Pick<Analysis, "findings" | "partial" | "firstShown">> {
  const runEnd = performance.now() + budgetMs;
  const axe = axeOptions(standard, REPORTER, { only });
  await callOrTerminateScripts(main.session, () => main.call(forgetRules, only));
  await runWithin(() => runEnd - performance.now(), main, { exclude: [] }, axe, false);
  const { unfinished } = await callOrTerminateScripts(main.session, () => main.call(countRules));
  await main.call(addLaterPartials, only);
  const { findings, firstShown } = JSON.parse(await main.call(finishReport, axe)) as Report;
  return { findings, firstShown, partial: unfinished.filter((id) => only.includes(id)) };
}

/**
 * Runs rules in an inner frame once more; the next `analyseAgain` of these rules reports the results with those of the page.
 * @param budgetMs time in ms
 * @returns ids of the unfinished rules
 */
export async function analyseFrameAgain(main: IsolatedWorld, { world, context, place }: InnerFrame, standard: Standard, only: string[], budgetMs: number): Promise<string[]> {
  const runEnd = performance.now() + budgetMs;
  await callOrTerminateScripts(world.session, () => world.call(forgetRules, only));
  await runWithin(() => runEnd - performance.now(), world, context, axeOptions(standard, REPORTER, { only }), false);
  const { unfinished } = await callOrTerminateScripts(world.session, () => world.call(countRules));
  await main.call(replaceLaterPartial, await world.call(takePartial), place, only);
  return unfinished.filter((id) => only.includes(id));
}

/**
 * Runs the rules of a standard that need no condition once more, on the parts of a page that have appeared since.
 * @param budgetMs time in ms; rules not finished by then are listed in `partial`
 */
export async function analyseAppeared(main: IsolatedWorld, by: Appearing, standard: Standard, rules: RuleChoice | undefined, budgetMs: number): Promise<Pick<Analysis, "findings" | "partial" | "firstShown">> {
  return runOnAppeared(main, by, axeOptions(standard, REPORTER, withAskingRule(withoutLater(withoutSiteRules(rules), laterRules(standard, rules)))), budgetMs);
}

/**
 * Runs rules that need a condition on parts of a page, such as opened ones, while these are in that condition.
 * @param budgetMs time in ms; rules not finished by then are listed in `partial`
 */
export async function analyseParts(main: IsolatedWorld, by: Appearing, standard: Standard, only: string[], budgetMs: number): Promise<Pick<Analysis, "findings" | "partial" | "firstShown">> {
  return runOnAppeared(main, by, axeOptions(standard, REPORTER, { only }), budgetMs);
}

async function runOnAppeared(main: IsolatedWorld, by: Appearing, axe: AxeOptions, budgetMs: number): Promise<Pick<Analysis, "findings" | "partial" | "firstShown">> {
  const runEnd = performance.now() + budgetMs;
  await main.call(beginAgain, by);
  try {
    await runWithin(() => runEnd - performance.now(), main, { exclude: [] }, axe, false);
    const { unfinished } = await callOrTerminateScripts(main.session, () => main.call(countRules));
    const { findings, firstShown } = JSON.parse(await main.call(finishReport, axe)) as Report;
    return { findings, firstShown, partial: unfinished };
  } finally {
    await main.call(beginAgain, null);
  }
}

async function prepare(isolatedWorld: IsolatedWorld, script: string, ownRules: string): Promise<void> {
  // The browser runs them in order, so no wait is needed in between.
  await Promise.all([
    isolatedWorld.evaluate(script),
    ...(ownRules ? [isolatedWorld.evaluate(ownRules), detectLanguages(isolatedWorld)] : []),
    isolatedWorld.call(definePause),
    isolatedWorld.call(watchArrivals),
    isolatedWorld.call(patchAxeVirtualNodes),
    isolatedWorld.call(patchAxeTextBlockMatcher),
    isolatedWorld.call(defineElementContext, CONTEXT_CHARACTERS, CONTEXTS_MS),
    isolatedWorld.call(prepareAnalyser, REPORTER, LIMITS),
  ]);
}

/**
 * Runs the rules of one frame. A rule that uses too much time is stopped, together with the run, and comes last in the
 * next run. When no time is left, the finished results are collected.
 */
async function runWithin(
  left: () => number,
  isolatedWorld: IsolatedWorld,
  context: FrameContext,
  options: AxeOptions,
  hasFrames: boolean,
  onSilence: () => void = () => {},
): Promise<FrameContext[]> {
  const watch = await watchRules(isolatedWorld, onSilence);
  try {
    while (left() > SHORTEST_RUN_MS) {
      const inner = await watch.unlessStuck(left, isolatedWorld.call(runRules, context, options, hasFrames));
      if (inner) return inner;
      await stopScripts(isolatedWorld.session);
      const stopped = await callOrTerminateScripts(isolatedWorld.session, () => isolatedWorld.call(putRunningRuleAside), onSilence);
      // A run with even less time would not get further.
      if (stopped === "preparing") break;
      if (stopped === "a rule") continue;
      await silenceScripts(isolatedWorld.session);
      onSilence();
    }
    return await callOrTerminateScripts(isolatedWorld.session, () => isolatedWorld.call(takeFinished, options, hasFrames), onSilence);
  } finally {
    watch.stop();
  }
}
