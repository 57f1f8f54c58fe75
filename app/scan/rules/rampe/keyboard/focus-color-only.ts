import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.1: the focus is shown by more than another colour of an area that is about as light, which some people cannot tell apart. */
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
    // A line around the element or below it is a shape, not a colour alone.
    const leastArea = 0.5;
    const [sameLightness, enough] = [1.5, 3];
    if (change.isAround || change.share < leastArea || change.contrast >= enough) return "passes";
    const data = { contrast: Math.floor(change.contrast * 100) / 100 };
    return change.contrast < sameLightness ? { fails: "lightness", data } : { asks: "faint", data };
  },
};
