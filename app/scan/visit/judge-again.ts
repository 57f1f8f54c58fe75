import { within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { analyseAgain } from "~/scan/rules/analysis";
import { CATEGORIES, type CheckedPage, type Condition, type PageRequest } from "~/scan/types";
import { addFindings } from "./add-findings";
import { takePictures } from "./pictures/take-pictures";

interface JudgeOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Ids of the rules to run. */
  ids: string[];
  /** Time for the rules, in ms. */
  rulesMs: number;
  /** Time for the rules and the report of their findings, in ms. */
  reportedMs: number;
  /** Time for the pictures, in ms; requested after the rules have run. */
  picturesMs: () => number;
  /** Condition of the findings, if the rules had run before in another one. */
  condition?: Condition | undefined;
}

/**
 * Runs rules in a world in which the page was analysed before, adds their findings to the page's results, and takes pictures of it.
 * @param page page whose findings are changed
 * @returns new findings, and ids of the unfinished rules
 * @throws {OutOfTime} or another error if the page hangs or has gone away
 */
export async function judgeAgain(world: IsolatedWorld, page: CheckedPage, { standard, pictures, ids, rulesMs, reportedMs, picturesMs, condition }: JudgeOptions): Promise<Pick<CheckedPage, "findings" | "partial">> {
  const { findings, partial, firstShown } = await within(reportedMs, analyseAgain(world, standard, ids, rulesMs));
  if (!condition) for (const category of CATEGORIES) page.findings[category].push(...findings[category]);
  if (pictures && findings.violations.length + findings.incomplete.length > 0) await takePictures(world, findings, picturesMs(), { firstShown });
  if (condition) addFindings(page, findings, condition);
  return { findings, partial };
}

/** Adds rules that could not examine all of a page to `partial`. @param page page whose results are changed */
export function addPartial(page: CheckedPage, ids: Iterable<string>): void {
  page.partial = [...new Set([...page.partial, ...ids])].sort();
}
