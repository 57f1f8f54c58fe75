import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.13, failure F95: content that appears under the pointer can be hovered, persists, and can be closed where it covers something. */
export const hoverContent: PageRule = {
  id: "rampe-hover-content",
  since: "1.9.0",
  criteria: ["1.4.13"],
  level: "wcag21aa",
  category: "sensory-and-visual-cues",
  impact: "serious",
  selector: "*",
  // Content only for the pointer may be hidden from assistive technology.
  includesHidden: true,
  isAdvanced: true,
  condition: "hover",
  judge(element, kit) {
    const trial = kit.hoverTrial(element);
    if (!trial) return undefined;
    const { covers, closedBy, mayClose, staysUnderPointer, vanishes } = trial;
    const data = { text: covers ?? "" };
    if (vanishes) return { fails: "vanishes" };
    if (staysUnderPointer === "no") return { fails: "moved" };
    if (closedBy === "nothing") return mayClose ? { asks: "covers", data } : { fails: "covers", data };
    if (closedBy === "Escape with focus") return { asks: "focus", data };
    return staysUnderPointer === "gap" ? { asks: "gap" } : "passes";
  },
};
