import { within } from "~/platform/async/deadline";
import { showIn, type Appearance } from "~/scan/conditions/condition";
import { confirmLost, defineMeasures, forgetFacts, hasFacts, noteLayout, rememberLayout } from "~/scan/conditions/layout-facts";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { PausingGlobals } from "~/scan/page/pause";
import { settle } from "~/scan/page/settle";
import type { Tab } from "~/scan/page/tab";
import { analyseAgain, rulesInConditions } from "~/scan/rules/analysis";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { takePictures } from "./pictures";

const APPEARANCES: Appearance[] = ["phone", "text-spacing"];
const MOST_MS = 6_000;
const SETTLE_MS = 1_000;
/** The page's scripts learn of a change with the next drawn frame. */
const FRAMES_MS = 50;
const BACK_WITHIN_MS = 1_000;
/** Shares of the time of one condition. */
const SHARE_FOR_RULES = 0.4;
const SHARE_FOR_PICTURES = 0.2;

export interface VaryOptions extends Pick<PageRequest, "standard" | "rules" | "pictures"> {
  /** In ms. */
  budgetMs: number;
}

/**
 * Shows an analysed page in other conditions, and adds what the rules for these find there. Rules that could not see it are named in
 * `partial`. Afterwards the page is shown as before. Never fails.
 * @returns ids of the rules for conditions that changed nothing for them: a later run reports that they passed
 * @param world world of the analysis
 * @param page whose results are changed
 */
export async function varyPage(tab: Tab, world: IsolatedWorld, page: CheckedPage, { standard, rules, pictures, budgetMs }: VaryOptions): Promise<string[]> {
  const asked = APPEARANCES.map((condition) => ({ condition, ids: rulesInConditions(standard, rules, [condition]) })).filter(({ ids }) => ids.length > 0);
  const passed: string[] = [];
  const ms = Math.min(MOST_MS, budgetMs / asked.length);
  for (const [index, { condition, ids }] of asked.entries()) {
    let unfinished = ids;
    let showAsBefore: (() => Promise<void>) | undefined;
    try {
      await within(ms, (async () => {
        if (index === 0) await measureBefore();
        showAsBefore = await look(condition);
      })());
      const isChanged = await within(ms, world.call(hasFacts));
      unfinished = isChanged ? await judge(ids, ms) : [];
      if (!isChanged) passed.push(...ids);
    } catch {
      // The page went away or hangs: it keeps its other results.
    }
    page.partial = [...page.partial, ...unfinished].sort();
    await within(BACK_WITHIN_MS, Promise.all([world.call(forgetFacts), showAsBefore?.()])).catch(() => {});
  }
  return passed;

  /** Shows the page in the condition, and keeps what it is like. @returns shows it as before */
  async function look(condition: Appearance): Promise<() => Promise<void>> {
    const show = () => showIn(condition, tab.session, tab.mainFrameId);
    let showAsBefore = await show();
    await rest();
    if (!(await world.call(noteLayout))) return showAsBefore;
    // A page that moves by itself may have taken the controls away.
    await showAsBefore();
    await rest();
    await world.call(confirmLost);
    showAsBefore = await show();
    await rest();
    return showAsBefore;
  }

  async function rest(): Promise<void> {
    await world.call(waitForFrames, FRAMES_MS);
    await settle(tab, world, SETTLE_MS);
  }

  /** @returns ids of the rules that were not finished */
  async function judge(ids: string[], ms: number): Promise<string[]> {
    const { findings, partial } = await analyseAgain(world, standard, ids, ms * SHARE_FOR_RULES);
    if (pictures) await takePictures(world, findings, ms * SHARE_FOR_PICTURES, page.findings.violations.length);
    for (const category of CATEGORIES) page.findings[category].push(...findings[category]);
    return partial;
  }

  async function measureBefore(): Promise<void> {
    await world.call(defineMeasures);
    await world.call(rememberLayout);
  }
}

/** Runs inside the page. */
async function waitForFrames(ms: number): Promise<void> {
  await (globalThis as unknown as PausingGlobals).pause(ms);
}
