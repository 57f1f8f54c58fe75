import type { Coverage } from "./report-view";
import { isPartlyChecked, type Pages } from "~/runs/page.server";
import type { Run } from "~/runs/run.server";

/** What a run, or one of its pages alone, left unchecked: said wherever nothing was found. */
export async function coverageOf(pages: Pick<Pages, "ofRun">, run: Run, pageId?: number): Promise<Coverage> {
  if (pageId === undefined) return { isWhole: isWholeRun(run), partly: run.stats.partlyPages, limited: endedEarly(run) };
  const page = (await pages.ofRun(run.id)).find(({ id }) => id === pageId);
  const partly = page && isPartlyChecked(page) ? 1 : 0;
  return { isWhole: partly === 0 && page?.status === "succeeded" && run.status === "succeeded", partly, limited: false };
}

/** Was all of it looked at, as far as it is known? */
export function isWholeRun(run: Pick<Run, "status" | "crawl" | "stats">): boolean {
  const { failedPages, partlyPages } = run.stats;
  return failedPages + partlyPages === 0 && !endedEarly(run) && run.status === "succeeded";
}

/** There were more pages than were visited. */
export function endedEarly({ crawl }: Pick<Run, "crawl">): boolean {
  return crawl !== null && (crawl.limited || crawl.stopped || crawl.timeLimit !== undefined);
}
