import { within } from "~/platform/async/deadline";
import type { Tab } from "~/scan/page/tab";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { analyseAgain } from "~/scan/rules/analysis";
import { canMeasureContrast, measureContrast } from "~/scan/rules/rampe/color/measure-contrast";
import type { CheckedPage, Condition, PageRequest } from "~/scan/types";
import { addFindings, isNewTo } from "./add-findings";
import { takePictures } from "./pictures/take-pictures";

/** Shares of the remaining time. */
const SHARE_FOR_RULES = 0.5;
const SHARE_FOR_CONTRAST = 0.5;
const SHARE_FOR_PICTURES = 0.6;

export interface ChangedOptions extends Pick<PageRequest, "standard" | "pictures"> {
  condition: Condition;
  /** Ids of the rules to run again. */
  ids: string[];
  /** Remaining time, in ms. */
  left: () => number;
}

/**
 * Runs rules about colours or the layout again while a condition changes these, and adds their findings to a page's results.
 * @param page page whose findings are changed
 * @returns ids of the unfinished rules
 */
export async function judgeChanged(tab: Tab, world: IsolatedWorld, page: CheckedPage, { condition, standard, pictures, ids, left }: ChangedOptions): Promise<string[]> {
  const { findings, partial, firstShown } = await within(left(), analyseAgain(world, standard, ids, left() * SHARE_FOR_RULES));
  const seen = { findings, partial };
  if (canMeasureContrast(findings)) await measureContrast(world, seen, tab.network.failedImages(), left() * SHARE_FOR_CONTRAST);
  // The other elements already have a picture.
  if (pictures) await takePictures(world, seen.findings, left() * SHARE_FOR_PICTURES, { firstShown, isWanted: isNewTo(page, seen.findings) });
  addFindings(page, seen.findings, condition);
  return seen.partial;
}
