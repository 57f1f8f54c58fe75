import { OutOfTime, within, withinSignal } from "~/platform/async/deadline";
import { findOpeners } from "~/scan/interaction/opening/bare-openers";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { openControls, type Unused } from "~/scan/interaction/opening/open-controls";
import { forgetOpening } from "~/scan/interaction/opening/opening-log";
import { defineSight } from "~/scan/interaction/sight";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced, stopIfHanging, stopScripts } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { analyseAppeared, rulesInConditions, type InnerFrame } from "~/scan/rules/analysis";
import { measureContrast } from "~/scan/rules/rampe/color/measure-contrast";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { addFindings, isNewTo } from "~/scan/visit/add-findings";
import { addPartial, judgeAgain } from "~/scan/visit/judge-again";
import { takePictures } from "~/scan/visit/pictures/take-pictures";
import { framesToTry, tryFrames, type FrameToTry } from "./try-frames";

/** Maximum number of used controls of one page, and of one kind. */
const MOST_CONTROLS = 8;
const MOST_ALIKE = 2;
const FOUND_WITHIN_MS = 2_000;
const OPEN_WITHIN_MS = 8_000;
/** Shares of the time. */
const SHARE_TO_OPEN = 0.8;
/** Share of that time in which controls may be started; the rest is for the last one. */
const SHARE_TO_BEGIN = 0.6;
const SHARE_FOR_RULES = 0.15;
/** Time for the opened content of one control. */
const JUDGE_WITHIN_MS = 2_000;
/** Time to measure the texts of one control's content, and those of all. */
const CONTRAST_WITHIN_MS = 1_000;
const ALL_CONTRASTS_WITHIN_MS = 2_500;
const PICTURES_WITHIN_MS = 500;
const STOP_WITHIN_MS = 1_000;

interface TryControlsOptions extends Pick<PageRequest, "standard" | "rules" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
  /** The page is shown on a phone: the findings are in that condition. */
  isOnPhone?: boolean;
}

interface ControlsToTry {
  /** Number of controls; undefined if the page did not answer. */
  count: number | undefined;
  /** Number of controls, including those beyond the limit. */
  all: number;
  /** Number of controls for a pointer alone, the last of the kept ones. */
  bare: number;
  /** Ids of the rules about opening. */
  ruleIds: string[];
  /** Inner frames with further controls. */
  frames?: FrameToTry[];
}

/** Finds the controls that may open something, also in inner frames. Never fails. */
export async function controlsToTry(tab: Tab, world: IsolatedWorld, innerFrames: InnerFrame[], standard: PageRequest["standard"], rules: PageRequest["rules"]): Promise<ControlsToTry> {
  const ruleIds = rulesInConditions(standard, rules, ["opened"]);
  // Appeared content is judged by rules that need no condition.
  const isAsked = ruleIds.length > 0 || (rules?.only ?? []).some((id) => !CONDITION_OF.has(id));
  const found = isAsked ? await within(FOUND_WITHIN_MS, find()).catch(() => undefined) : { kept: 0, all: 0, bare: 0 };
  return { count: found?.kept, all: found?.all ?? 0, bare: found?.bare ?? 0, ruleIds, frames: found && ruleIds.length > 0 ? await framesToTry(tab, innerFrames) : [] };

  async function find() {
    await world.call(defineSight);
    return findOpeners(world, MOST_CONTROLS, MOST_ALIKE);
  }
}

/**
 * Uses the controls of an analysed page that open something, checks the opened content like the page itself, and adds the findings of the
 * rules about opening. Rules with missing tests are named in `partial`. Never fails.
 * @param connection undefined if it could not be cut: then nothing is opened
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function tryControls(
  tab: Tab,
  world: IsolatedWorld,
  connection: CutConnection | undefined,
  { count, all, bare, ruleIds: ids, frames = [] }: ControlsToTry,
  page: CheckedPage,
  { standard, rules, pictures, budgetMs, isOnPhone = false }: TryControlsOptions,
): Promise<void> {
  const partial = new Set(ids);
  const ms = Math.min(OPEN_WITHIN_MS, budgetMs);
  /** Names of controls whose opened content was not judged. */
  const unjudged: string[] = [];
  /** Unused controls, including the one interrupted by the end of the time. */
  let unused: Unused = { count: count ?? all, includesInitial: true };
  let contrastMs = ALL_CONTRASTS_WITHIN_MS;
  /** End of the time to open, as of `performance.now`. */
  let openedUntil = 0;
  let isOver = false;
  let untriedInFrames = frames.reduce((sum, frame) => sum + frame.all, 0);
  try {
    if (!connection || count === undefined || isSilenced(tab.session)) throw new OutOfTime("the page cannot be used");
    const openMs = ms * SHARE_TO_OPEN;
    openedUntil = performance.now() + openMs;
    let current = 0;
    const begin = (index: number, left: Unused) => ([current, unused] = [index, left]);
    const opening = withinSignal(openMs, (signal) => openControls(tab, world, connection, count, { bare, begin, judge, isAtRest: isOnPhone, budgetMs: openMs * SHARE_TO_BEGIN, signal }));
    // What is judged then would disturb the rules about opening.
    const ended = opening.finally(() => (isOver = true));
    unused = (await ended.catch((error: unknown) => forgetLast(error, current))) ?? unused;
    const inFrames = frames.length > 0 ? await tryFrames(tab, world, connection, frames, { standard, ruleIds: ids, budgetMs: Math.max(0, openedUntil - performance.now()) }) : undefined;
    untriedInFrames = inFrames?.unused ?? 0;
    // The rules are about controls that are visible at first.
    await judgeOpenings(!unused.includesInitial && untriedInFrames === 0, inFrames?.unfinished ?? []);
  } catch (error) {
    // The page went away or hangs: its other results stay.
    await stopIfHanging(tab.session, error).catch(() => {});
  }
  if (count !== undefined) page.gaps.unopened = (page.gaps.unopened ?? 0) + all - count + unused.count + unjudged.length + untriedInFrames;
  addPartial(page, partial);

  /** Judges opened content. If it disappears, or takes too long, the other results stay unchanged. */
  async function judge(name: string): Promise<void> {
    const run = analyseAppeared(world, "opened", standard, rules, JUDGE_WITHIN_MS / 2);
    const judged = await within(JUDGE_WITHIN_MS, run).catch(() => undefined);
    if (isOver) return;
    if (!judged) {
      unjudged.push(name);
      await within(STOP_WITHIN_MS, stopScripts(tab.session));
      // The run must not end during a later run.
      await within(STOP_WITHIN_MS, Promise.allSettled([run]));
      return;
    }
    const { firstShown } = judged;
    const { findings, partial: unfinished } = await measured(judged);
    if (isOver) return;
    for (const finding of CATEGORIES.flatMap((category) => findings[category])) {
      for (const element of finding.elements) element.context = { ...element.context, opened: name };
    }
    for (const id of unfinished) partial.add(id);
    const isWanted = isNewTo(page, findings, { isOpened: true });
    if (pictures && [...findings.violations, ...findings.incomplete].some(({ elements }) => elements.some(isWanted))) {
      await takePictures(world, findings, Math.min(PICTURES_WITHIN_MS, openedUntil - performance.now()), { firstShown, isWanted });
    }
    if (!isOver) addFindings(page, findings, isOnPhone ? "phone" : "opened", { isOpened: true });
  }

  /** Answers open questions about contrast on pictures of the opened content. */
  async function measured({ findings, partial: unfinished }: Pick<CheckedPage, "findings" | "partial">): Promise<Pick<CheckedPage, "findings" | "partial">> {
    const seen = { findings, partial: unfinished };
    const begun = performance.now();
    await measureContrast(world, seen, tab.network.failedImages(), Math.min(CONTRAST_WITHIN_MS, contrastMs, openedUntil - begun));
    contrastMs = Math.max(0, contrastMs - (performance.now() - begun));
    return seen;
  }

  /** Forgets the last control when the time is over: it was not examined to the end. The others can be judged. */
  async function forgetLast(error: unknown, index: number): Promise<undefined> {
    if (!(error instanceof OutOfTime)) throw error;
    await within(STOP_WITHIN_MS, stopScripts(tab.session)).catch(() => {});
    await within(STOP_WITHIN_MS, world.call(forgetOpening, index));
  }

  /** @param unfinishedInFrames ids of rules */
  async function judgeOpenings(isWhole: boolean, unfinishedInFrames: string[]): Promise<void> {
    const judgeMs = ms * SHARE_FOR_RULES;
    const { partial: unfinished } = await judgeAgain(world, page, { standard, pictures, ids, rulesMs: judgeMs, reportedMs: judgeMs * 2, picturesMs: () => PICTURES_WITHIN_MS, condition: isOnPhone ? "phone" : undefined });
    if (isWhole) for (const id of ids) if (![...unfinished, ...unfinishedInFrames].includes(id)) partial.delete(id);
  }
}
