import { crawlLines } from "./crawl-text";
import type { RunFacts } from "./run";

/** Important note about a run as a whole, for readers of its pages. */
export interface Note {
  kind: "canceled" | "broken_off" | "left_out" | "crawl" | "withheld" | "evidence" | "accepted";
  text: string;
}

/** Notes in English, the same in every report. */
export function notesOf({ status, excludedPaths = [], crawl, crawls = [], withheld, evidenceGone, acceptedUnknown, acceptedElements = 0 }: RunFacts): Note[] {
  return [
    ...(status === "canceled"
      ? [note("canceled", "The run was canceled: it says nothing about pages that are not listed.")]
      : []),
    ...(status === "failed"
      ? [note("broken_off", "The run could not be completed: it says nothing about pages that are not listed.")]
      : []),
    ...(excludedPaths.length > 0 ? [note("left_out", `Left out as ordered: ${excludedPaths.join(", ")}`)] : []),
    ...(withheld
      ? [note("withheld", `WCAG ${withheld.inFull} is included in full; of what is new since (${withheld.rules.join(", ")}), rule and count. The plan Pro lists the elements.`)]
      : []),
    ...(evidenceGone
      ? [note("evidence", "The elements of this run were deleted to save space. Rules, pages and counts are complete.")]
      : []),
    ...(acceptedUnknown ? [note("evidence", "Accepted elements count as open, except where the whole rule is accepted.")] : []),
    ...(acceptedElements > 0
      ? [note("accepted", `Elements that people accepted, with a reason: ${acceptedElements}. They are listed, and not counted as open violations. Accepted does not mean fixed.`)]
      : []),
    ...(crawl ? [...crawlLines(crawl)].map((text) => note("crawl", text)) : []),
    ...crawls.flatMap(({ url, facts }) => [...crawlLines(facts)].map((text) => note("crawl", `${url}: ${text}`))),
  ];
}

const note = (kind: Note["kind"], text: string): Note => ({ kind, text });
