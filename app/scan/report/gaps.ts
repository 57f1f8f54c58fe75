import type { CheckedPage, FindingResult } from "~/scan/types";

/** Something that belongs to a page but was not checked. */
export interface Gap {
  kind: "rule" | "frame" | "closed_shadow_root" | "resource" | "concealed" | "unfinished";
  text: string;
  ruleId?: string;
  /** Of a frame; "" when unknown. */
  address?: string;
}

/** Everything that a page's check did not look at, in English, the same in every report. */
export function gapsOf({ partial, gaps }: CheckedPage): Gap[] {
  const { frames, closedShadowRoots, resources, concealed, unfinished } = gaps;
  return [
    ...partial.map((ruleId): Gap => ({ kind: "rule", ruleId, text: `Rule not finished in time: ${ruleId}` })),
    ...(unfinished
      ? [gap("unfinished", "The page never finished loading, or breaks off, and was checked as it stood.")]
      : []),
    ...(concealed
      ? [gap("concealed", "The page stayed invisible: rules about what can be seen had nothing to check.")]
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
  ];
}

/** Elements that are counted, but not listed. */
export const unlisted = ({ elementCount, elements }: FindingResult) => elementCount - elements.length;

/** Says so, and why. */
export const unlistedText = (finding: FindingResult) =>
  `${unlisted(finding)} ${finding.withheld ? "elements: new in WCAG 2.2, listed in the plan Pro" : "more elements are not listed"}`;

const gap = (kind: Gap["kind"], text: string): Gap => ({ kind, text });
