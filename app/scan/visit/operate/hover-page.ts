import { OutOfTime, within, withinSignal } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { findTriggers } from "~/scan/interaction/hover/find-triggers";
import { tryHover } from "~/scan/interaction/hover/try-hover";
import { defineSight } from "~/scan/interaction/sight";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced, stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { addPartial, judgeAgain } from "~/scan/visit/judge-again";

/** Maximum number of hovered elements of one page, and of one kind: after something has appeared for one of a kind, one is enough. */
const MOST_TRIGGERS = 8;
const MOST_ALIKE = 2;
const FOUND_WITHIN_MS = 1_500;
const HOVERED_WITHIN_MS = 6_000;
/** Shares of the time. */
const SHARE_TO_HOVER = 0.8;
/** Share of that time in which elements may be started; the rest is for the last one. */
const SHARE_TO_BEGIN = 0.6;
const SHARE_FOR_RULES = 0.15;
/** Time for the report after the rules. */
const REPORT_WITHIN_MS = 2_000;
const PICTURES_WITHIN_MS = 500;

interface HoverOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
}

interface ElementsToHover {
  /** Number of elements; undefined if the page did not answer. */
  count: number | undefined;
  /** Number of further kinds of elements. */
  more: number;
  /** Ids of the rules about appearing content. */
  ruleIds: string[];
}

/** Finds elements that may show something below the pointer; none if no rule about that is requested. Never fails. */
export async function elementsToHover(world: IsolatedWorld, ruleIds: string[]): Promise<ElementsToHover> {
  if (ruleIds.length === 0) return { count: 0, more: 0, ruleIds };
  const found = await within(FOUND_WITHIN_MS, find()).catch(() => undefined);
  return { count: found?.kept, more: found?.more ?? 0, ruleIds };

  async function find() {
    await world.call(defineSight);
    return world.call(findTriggers, MOST_TRIGGERS, MOST_ALIKE, "hover");
  }
}

/**
 * Moves the pointer over an analysed page, and adds the findings of the rules about appearing content. Rules with missing tests are named in
 * `partial`. Never fails.
 * @param connection undefined if it could not be cut: then nothing is hovered
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function hoverPage(tab: Tab, world: IsolatedWorld, connection: CutConnection | undefined, { count, more, ruleIds }: ElementsToHover, page: CheckedPage, { standard, pictures, budgetMs }: HoverOptions): Promise<void> {
  let unfinished = ruleIds;
  let untried = more;
  const ms = Math.min(HOVERED_WITHIN_MS, budgetMs * SHARE_TO_HOVER);
  try {
    if (!connection || count === undefined || isSilenced(tab.session)) throw new OutOfTime("the page cannot be used");
    // Observations before a script hangs can be judged.
    await withinSignal(ms, (signal) => tryAll(connection, count, signal)).catch((error: unknown) => stopIfHanging(tab.session, error));
    const rulesMs = budgetMs * SHARE_FOR_RULES;
    const { partial } = await judgeAgain(world, page, { standard, pictures, ids: ruleIds, rulesMs, reportedMs: rulesMs + REPORT_WITHIN_MS, picturesMs: () => PICTURES_WITHIN_MS });
    unfinished = untried > 0 ? ruleIds : partial;
  } catch {
    // The page went away or hangs: its other results stay.
  }
  addPartial(page, unfinished);

  async function tryAll(cut: CutConnection, most: number, signal: AbortSignal): Promise<void> {
    untried += most;
    untried = more + (await tryHover(world, cut, most, { budgetMs: ms * SHARE_TO_BEGIN, signal }));
  }
}
