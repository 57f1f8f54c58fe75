import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.1: more than a colour shows the focus. Two colours of similar lightness look the same to some people. */
export const focusColorOnly: PageRule = {
  id: "rampe-focus-color-only",
  since: "1.6.0",
  criteria: ["1.4.1"],
  level: "wcag2a",
  category: "color",
  impact: "serious",
  selector: "a[href], area[href], button, summary, [tabindex], input",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const change = kit.stop(element)?.change;
    if (!change || !kit.isVisible(element)) return undefined;
    // A line around the element or below it is a shape, not only a colour.
    const leastArea = 0.5;
    const [sameLightness, enough] = [1.5, 3];
    if (change.isAround || change.share < leastArea || change.contrast >= enough) return "passes";
    const data = { contrast: Math.floor(change.contrast * 100) / 100 };
    return change.contrast < sameLightness ? { fails: "lightness", data } : { asks: "faint", data };
  },
};
