import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 1.4.13, as `hover-content`, for the keyboard: content that appears while an element has the focus covers other content, and Escape
 * does not close it. Another key may do so, which a person has to try.
 */
export const focusContent: PageRule = {
  id: "rampe-focus-content",
  since: "1.17.0",
  criteria: ["1.4.13"],
  level: "wcag21aa",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "*",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const trial = kit.focusTrial(element);
    // One question is enough for content that appears in both ways.
    if (!trial || kit.hoverTrial(element)?.closedBy === "nothing") return undefined;
    return trial.covers === undefined ? "passes" : { asks: "covers", data: { text: trial.covers } };
  },
};
