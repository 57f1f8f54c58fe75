import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.10: on a narrow screen, fixed bars at the edges of the window leave enough space for the page. */
export const roomToRead: PageRule = {
  id: "rampe-room-to-read",
  since: "1.17.0",
  criteria: ["1.4.10"],
  level: "wcag21aa",
  category: "structure",
  impact: "serious",
  selector: "html, body *",
  includesHidden: true,
  isAdvanced: true,
  condition: "phone",
  judge(element, kit) {
    const bars = kit.fixedBars();
    if (element === document.documentElement) return bars && bars.size > 0 ? undefined : "passes";
    const share = bars?.get(element);
    // All bars are one question, at the first one.
    return share !== undefined && [...(bars ?? [])][0]?.[0] === element ? { asks: "covered", data: { share } } : undefined;
  },
};
