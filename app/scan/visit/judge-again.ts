import { within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { analyseAgain } from "~/scan/rules/analysis";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { takePictures } from "./pictures/take-pictures";

interface JudgeOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Of the rules to run. */
  ids: string[];
  /** For the rules, in ms. */
  rulesMs: number;
  /** For the rules and the report of what they found, in ms. */
  reportedMs: number;
  /** For the pictures, in ms; asked when the rules have run. */
  picturesMs: () => number;
}

/**
 * Runs rules in a world in which the page was analysed before, adds what they find to the page's results, and takes pictures of it.
 * @param page whose findings are changed
 * @returns what was found, and ids of the rules that were not finished
 * @throws {OutOfTime} or another error if the page hangs or has gone away
 */
export async function judgeAgain(world: IsolatedWorld, page: CheckedPage, { standard, pictures, ids, rulesMs, reportedMs, picturesMs }: JudgeOptions): Promise<Pick<CheckedPage, "findings" | "partial">> {
  const { findings, partial, firstShown } = await within(reportedMs, analyseAgain(world, standard, ids, rulesMs));
  for (const category of CATEGORIES) page.findings[category].push(...findings[category]);
  if (pictures && findings.violations.length + findings.incomplete.length > 0) await takePictures(world, findings, picturesMs(), { firstShown });
  return { findings, partial };
}

/** Names rules that could not see all of a page. @param page whose results are changed */
export function addPartial(page: CheckedPage, ids: Iterable<string>): void {
  page.partial = [...new Set([...page.partial, ...ids])].sort();
}
