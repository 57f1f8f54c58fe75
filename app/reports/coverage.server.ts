import type { Coverage } from "./report-view";
import { isPartlyChecked, type Pages } from "~/runs/page.server";
import type { Run } from "~/runs/run";

/** Unchecked parts of a run, or of one of its pages; shown beside every empty result. */
export async function coverageOf(pages: Pick<Pages, "ofRun">, run: Run, pageId?: number): Promise<Coverage> {
  if (pageId === undefined) return { isWhole: isWholeRun(run), partly: run.stats.partlyPages, limited: endedEarly(run) };
  const page = (await pages.ofRun(run.id)).find(({ id }) => id === pageId);
  const partly = page && isPartlyChecked(page) ? 1 : 0;
  return { isWhole: partly === 0 && page?.status === "succeeded" && run.status === "succeeded", partly, limited: false };
}

/** Whether the run was complete, without known gaps. */
export function isWholeRun(run: Pick<Run, "status" | "crawl" | "stats">): boolean {
  const { failedPages, partlyPages } = run.stats;
  return failedPages + partlyPages === 0 && !endedEarly(run) && !isLedElsewhere(run) && run.crawl?.sitemaps?.cut !== true && run.status === "succeeded";
}

/** Ids of the rules that did not finish on at least one of the pages. */
export const unfinishedOn = (pages: { partial: string[] }[]): string[] => [...new Set(pages.flatMap(({ partial }) => partial))].sort();

/** Whether the crawl ended early: the site has more pages. */
export function endedEarly({ crawl }: Pick<Run, "crawl">): boolean {
  return crawl !== null && (crawl.limited || crawl.stopped || crawl.timeLimit !== undefined);
}

/** Whether the start page is on another site, and none of its links was followed. */
export function isLedElsewhere({ crawl }: Pick<Run, "crawl">): boolean {
  return Boolean(crawl?.ledElsewhere);
}
