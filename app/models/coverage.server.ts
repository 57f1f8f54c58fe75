import type { Coverage } from "~/lib/report-view";
import type { Page, Pages } from "./page.server";
import type { Run } from "./run.server";

/** What a run, or one of its pages alone, left unchecked: said wherever nothing was found. */
export async function coverageOf(pages: Pick<Pages, "ofRun">, run: Run, pageId?: number): Promise<Coverage> {
  const asked = (await pages.ofRun(run.id)).filter(({ id }) => pageId === undefined || id === pageId);
  const failed = asked.filter(({ status }) => status !== "succeeded").length;
  const partly = asked.filter(isPartlyChecked).length;
  const limited = pageId === undefined && (run.crawl?.limited === true || run.crawl?.stopped === true);
  const isWhole = failed + partly === 0 && !limited && run.status === "succeeded";
  return { isWhole, partly, limited };
}

/** Something of the page was not looked at. A file that did not load leaves it checked as it was shown. */
export function isPartlyChecked({ status, partial, gaps: { resources: _, ...gaps } }: Pick<Page, "status" | "partial" | "gaps">): boolean {
  return status === "succeeded" && [partial, ...Object.values(gaps)].some((gap) => (Array.isArray(gap) ? gap.length > 0 : Boolean(gap)));
}
