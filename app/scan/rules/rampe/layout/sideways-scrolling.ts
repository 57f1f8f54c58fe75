import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.10: on a screen of 320 px (1280 px at 400 %), lines of text can be read without scrolling sideways. */
export const sidewaysScrolling: PageRule = {
  id: "rampe-sideways-scrolling",
  since: "1.6.0",
  criteria: ["1.4.10"],
  level: "wcag21aa",
  category: "sensory-and-visual-cues",
  impact: "serious",
  selector: "body, body *",
  includesHidden: true,
  isAdvanced: true,
  condition: "phone",
  judge(element, kit) {
    const layout = kit.layout();
    const box = layout?.tooWide.get(element);
    const words = box?.words.replace(/\s+/g, " ").trim() ?? "";
    const data = { width: box?.end ?? 0, words: kit.excerpt(words) };
    if (layout && box) return { fails: layout.scrollsSideways ? "scrolls" : "cutOff", data };
    return layout && element === document.body ? "passes" : undefined;
  },
};
