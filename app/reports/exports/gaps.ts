import type { CheckedPage, FindingResult, Late } from "~/scan/types";

/** A part of a page that was not checked. */
export interface Gap {
  kind: "rule" | "frame" | "closed_shadow_root" | "resource" | "offline" | "unopened" | "concealed" | "unfinished" | "late" | "missing";
  text: string;
  ruleId?: string;
  /** Address of a frame; "" if unknown. */
  address?: string;
}

const LATE: Record<Late, string> = {
  requests: "The page still waited for an answer of its server; what would have come after it was not checked.",
  moving: "The page kept changing or asking its server; it was checked as it was seen last.",
  growing: "The page grew each time that it was scrolled to its end; only its beginning was checked.",
  placeholders: "Parts of the page stayed empty, or were still marked as loading.",
  connection: "The page kept a connection to its server open; what the server sends later was not checked.",
  leaving: "The page led on to another address by itself; what it showed before was checked.",
  unwatched: "There was not enough time to see whether more content came after the check.",
};

/** All gaps of a page's check, in English, the same in every report. */
export function gapsOf({ partial, gaps }: CheckedPage): Gap[] {
  const { frames, closedShadowRoots, resources, offline = 0, unopened = 0, concealed, unfinished, late, missing } = gaps;
  return [
    ...partial.map((ruleId): Gap => ({ kind: "rule", ruleId, text: `Rule not finished in time: ${ruleId}` })),
    ...(unfinished
      ? [gap("unfinished", "The page never finished loading, or breaks off, and was checked as it stood.")]
      : []),
    ...(concealed
      ? [gap("concealed", "The page stayed invisible: rules about what can be seen had nothing to check.")]
      : []),
    ...late.map((why) => gap("late", LATE[why])),
    ...(missing
      ? [gap("missing", `${missing.selector} did not appear within ${Math.round(missing.waitedMs / 1_000)} seconds.`)]
      : []),
    ...frames.map(
      (address): Gap => ({
        kind: "frame",
        address,
        text: `Frame not checked: ${address || "without an address"}`,
      })
    ),
    ...(closedShadowRoots > 0
      ? [gap("closed_shadow_root", `Closed shadow roots not checked: ${closedShadowRoots}`)]
      : []),
    ...(resources > 0 ? [gap("resource", `Files of the page that did not load: ${resources}`)] : []),
    ...(offline > 0 ? [gap("offline", `Requests not answered while the page was used, because its connection was cut: ${offline}`)] : []),
    ...(unopened > 0 ? [gap("unopened", `Controls that may open something and were not used: ${unopened}`)] : []),
  ];
}

/** Number of elements that are counted but not listed. */
export const unlisted = ({ elementCount, elements }: FindingResult) => elementCount - elements.length;

/** Number of unlisted elements, and the reason. */
export const unlistedText = (finding: FindingResult) =>
  `${unlisted(finding)} ${finding.withheld ? "elements: new in WCAG 2.2, listed in the plan Pro" : "more elements are not listed"}`;

const gap = (kind: Gap["kind"], text: string): Gap => ({ kind, text });
