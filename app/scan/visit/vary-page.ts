import { OutOfTime, within, withinSignal } from "~/platform/async/deadline";
import { openAppearances, type Appearance, type Appearances } from "~/scan/conditions/condition";
import { clearFacts, confirmFacts, hasFacts, noteLayout, rememberLayout } from "~/scan/conditions/layout-facts";
import { defineMeasures, LOSS } from "~/scan/conditions/measures";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { PausingGlobals } from "~/scan/page/pause";
import { settle } from "~/scan/page/settle";
import { stopScripts } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { analyseAgain, rulesInConditions } from "~/scan/rules/analysis";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { takePictures } from "./pictures";

/** The one that changes the window comes last: scripts may still react to it when it is over. */
const APPEARANCES: Appearance[] = ["text-spacing", "phone"];
/** For each, of which pictures take a part. */
const MOST_MS = 6_000;
const SHARE_FOR_PICTURES = 0.25;
const BACK_WITHIN_MS = 1_000;
const SETTLE_MS = 1_000;
/** Styles hold at once; scripts often wait for a window that has come to rest. */
const REACTED_WITHIN_MS = { "text-spacing": 50, phone: 400 };

export interface VaryOptions extends Pick<PageRequest, "standard" | "rules" | "pictures"> {
  /** In ms. */
  budgetMs: number;
}

/**
 * Shows an analysed page in other conditions, and adds what the rules for these find there. Rules that could not see it are named in
 * `partial`. Afterwards the page is shown as before. Never fails.
 * @param world world of the analysis
 * @param page whose results are changed
 * @returns ids of the rules for conditions that changed nothing for them: a later run reports that they passed
 */
export async function varyPage(tab: Tab, world: IsolatedWorld, page: CheckedPage, { standard, rules, pictures, budgetMs }: VaryOptions): Promise<string[]> {
  const asked = APPEARANCES.map((condition) => ({ condition, ids: rulesInConditions(standard, rules, [condition]) })).filter(({ ids }) => ids.length > 0);
  if (asked.length === 0) return [];
  // Drawings have no body, whose text could change its layout.
  if (!(await within(BACK_WITHIN_MS, world.call(hasBody)).catch(() => true))) return asked.flatMap(({ ids }) => ids);
  const unfinished = new Set(asked.flatMap(({ ids }) => ids));
  const passed: string[] = [];
  let appearances: Appearances | undefined;
  try {
    const ms = Math.min(MOST_MS, budgetMs / asked.length);
    appearances = await within(ms, openAppearances(tab.session, tab.mainFrameId));
    await within(ms, measureBefore());
    for (const { condition, ids } of asked) {
      const end = performance.now() + ms;
      const left = () => Math.max(0, end - performance.now());
      const isChanged = await withinSignal(left(), (signal) => look(appearances as Appearances, condition, signal));
      const partial = isChanged ? await judge(ids, left) : [];
      if (!isChanged) passed.push(...ids);
      for (const id of ids) if (!partial.includes(id)) unfinished.delete(id);
      await within(BACK_WITHIN_MS, goBack(appearances));
    }
  } catch (error) {
    // The page went away or hangs, perhaps in our own measuring: it keeps its other results.
    if (error instanceof OutOfTime) await within(BACK_WITHIN_MS, stopScripts(tab.session)).catch(() => {});
    if (appearances) await within(BACK_WITHIN_MS, goBack(appearances)).catch(() => {});
  }
  if (appearances) await within(BACK_WITHIN_MS, appearances.close()).catch(() => {});
  // Scripts make the page what it was.
  await within(SETTLE_MS + BACK_WITHIN_MS, rest("phone")).catch(() => {});
  page.partial = [...page.partial, ...unfinished].sort();
  return passed;

  async function measureBefore(): Promise<void> {
    await world.call(defineMeasures, LOSS);
    await world.call(rememberLayout);
  }

  /** Shows the page in the condition, and keeps what it is like. @returns whether there is anything to judge */
  async function look({ show, showUsual }: Appearances, condition: Appearance, signal: AbortSignal): Promise<boolean> {
    const step = async <Value>(task: Promise<Value>): Promise<Value> => {
      const value = await task;
      signal.throwIfAborted();
      return value;
    };
    await step(show(condition));
    await step(rest(condition));
    await step(world.call(noteLayout, condition, LOSS));
    if (!(await step(world.call(hasFacts)))) return false;
    // A page that moves by itself may have changed without the condition.
    await step(showUsual());
    await step(rest(condition));
    await step(world.call(confirmFacts));
    if (!(await step(world.call(hasFacts)))) return false;
    await step(show(condition));
    await step(rest(condition));
    return true;
  }

  async function rest(condition: Appearance): Promise<void> {
    await world.call(pauseInPage, REACTED_WITHIN_MS[condition]);
    await settle(tab, world, SETTLE_MS);
  }

  /** @returns ids of the rules that were not finished */
  async function judge(ids: string[], left: () => number): Promise<string[]> {
    const { findings, partial, firstShown } = await within(left(), analyseAgain(world, standard, ids, left() * (1 - SHARE_FOR_PICTURES)));
    for (const category of CATEGORIES) page.findings[category].push(...findings[category]);
    if (pictures) await takePictures(world, findings, left(), firstShown);
    return partial;
  }

  async function goBack({ showUsual }: Appearances): Promise<void> {
    await Promise.all([showUsual(), world.call(clearFacts)]);
  }
}

/** The following functions run inside the page. */
const hasBody = (): boolean => document.body !== null;

async function pauseInPage(ms: number): Promise<void> {
  await (globalThis as unknown as PausingGlobals).pause(ms);
}
