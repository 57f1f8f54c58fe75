import { isOfAnotherSite, reachedElsewhere } from "~/scan/redirect";
import type { PageResult } from "~/scan/types";

/** Notes about a page's address, in English, the same in every report. */
export function* addressNotes(page: Pick<PageResult, "url" | "finalUrl" | "linkedFrom" | "status">): Generator<string> {
  const reached = reachedElsewhere(page);
  if (reached !== null) yield `${isOfAnotherSite(page.url, reached) ? "Led to another site" : "Led to"}: ${reached}`;
  if (page.status === "failed" && page.linkedFrom !== undefined) yield `Linked from: ${page.linkedFrom}`;
}
