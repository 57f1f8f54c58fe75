import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.10: on a screen of 320 px (1280 px at 400 %), no control is missing. */
export const lostControl: PageRule = {
  id: "rampe-lost-control",
  since: "1.6.0",
  criteria: ["1.4.10"],
  level: "wcag21aa",
  category: "structure",
  impact: "serious",
  selector: "body, body *",
  includesHidden: true,
  isAdvanced: true,
  condition: "phone",
  judge(element, kit) {
    const layout = kit.layout();
    if (layout?.lost.has(element)) return { fails: "lost" };
    // A rule that throws is unfinished.
    if (layout && layout.lost.size === 0 && layout.lostPerhaps.size > 0) throw new Error("Web components may lead to what is missing.");
    return layout && element === document.body ? "passes" : undefined;
  },
};
