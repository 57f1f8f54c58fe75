import { within, withinSignal } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { openControls } from "~/scan/interaction/opening/open-controls";
import { findControls } from "~/scan/interaction/opening/ready-control";
import { defineSight } from "~/scan/interaction/sight";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { watchDocument } from "~/scan/page/settle";
import { stopScripts } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { analyseFrameAgain, type InnerFrame } from "~/scan/rules/analysis";
import type { PageRequest } from "~/scan/types";

/** Maximum number of inner frames whose controls are used, of these controls, and of those of one kind. */
const MOST_FRAMES = 2;
const MOST_CONTROLS = 3;
const MOST_ALIKE = 1;
const FOUND_WITHIN_MS = 500;
const ALL_FOUND_WITHIN_MS = 1_500;
const STOP_WITHIN_MS = 1_000;
const OPENED_WITHIN_MS = 3_000;
const JUDGED_WITHIN_MS = 1_000;
/** Share of the time in which controls may be started; the rest is for the last one. */
const SHARE_TO_BEGIN = 0.6;

/** An inner frame with controls that may open something. */
export interface FrameToTry extends InnerFrame {
  /** Number of controls that are used, 0 beyond the maximum of frames, and of all. */
  count: number;
  all: number;
}

/** Finds inner frames with controls that may open something; only those in the page's own process get its keys. Never fails. */
export async function framesToTry(tab: Tab, frames: InnerFrame[]): Promise<FrameToTry[]> {
  const own = frames.filter(({ world }) => world.session === tab.session && tab.innerFrame(world.frameId).shown);
  const found: FrameToTry[] = [];
  const end = performance.now() + ALL_FOUND_WITHIN_MS;
  for (const frame of own) {
    const { kept, all } = await within(Math.min(FOUND_WITHIN_MS, end - performance.now()), find(frame.world)).catch(() => ({ kept: 0, all: 0 }));
    if (kept > 0) found.push({ ...frame, count: found.length < MOST_FRAMES ? kept : 0, all });
  }
  return found;

  async function find(world: IsolatedWorld) {
    await world.call(defineSight);
    return world.call(findControls, MOST_CONTROLS, MOST_ALIKE);
  }
}

interface TryFramesOptions extends Pick<PageRequest, "standard"> {
  /** Ids of the rules about opening. */
  ruleIds: string[];
  /** Time in ms. */
  budgetMs: number;
}

/**
 * Opens by keyboard what controls in inner frames open, and runs the rules about opening there. Their results are reported with those of
 * the page, when these rules run there. Never fails.
 * @param main isolated world of the analysis
 * @returns number of unused controls, and ids of the unfinished rules
 */
export async function tryFrames(tab: Tab, main: IsolatedWorld, connection: CutConnection, frames: FrameToTry[], { standard, ruleIds, budgetMs }: TryFramesOptions): Promise<{ unused: number; unfinished: string[] }> {
  const end = performance.now() + budgetMs;
  const atMost = (ms: number) => Math.max(0, Math.min(ms, end - performance.now()));
  let unused = frames.reduce((sum, { all }) => sum + all, 0);
  const unfinished = new Set<string>();
  for (const frame of frames.filter(({ count }) => count > 0)) {
    const tried = await tryFrame(frame).catch(() => undefined);
    if (!tried) {
      // A frame that hangs would stop the rules of the page, too.
      await within(STOP_WITHIN_MS, stopScripts(tab.session)).catch(() => {});
      ruleIds.forEach((id) => unfinished.add(id));
      break;
    }
    unused += tried.unused - frame.count;
    tried.unfinished.forEach((id) => unfinished.add(id));
  }
  return { unused, unfinished: [...unfinished] };

  async function tryFrame(frame: FrameToTry) {
    const { world, count } = frame;
    await within(atMost(FOUND_WITHIN_MS), watchDocument(world));
    const ms = atMost(OPENED_WITHIN_MS);
    const options = { bare: 0, isFrame: true, begin: () => {}, judge: () => Promise.resolve(), isAtRest: false };
    const left = await withinSignal(ms, (signal) => openControls(tab, world, connection, count, { ...options, budgetMs: ms * SHARE_TO_BEGIN, signal }));
    const unfinished = ruleIds.length === 0 ? [] : await within(atMost(JUDGED_WITHIN_MS), analyseFrameAgain(main, frame, standard, ruleIds, atMost(JUDGED_WITHIN_MS)));
    return { unused: left.count, unfinished };
  }
}
