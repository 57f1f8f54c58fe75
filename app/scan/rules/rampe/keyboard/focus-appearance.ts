import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.4.13: the focus indicator is at least as large as a line of 2 pixels around the element, with a contrast of 3:1 between the
 * focused and the unfocused state. Measured on pictures; the browser's default outline is an exception and not pictured.
 */
export const focusAppearance: PageRule = {
  id: "rampe-focus-appearance",
  since: "1.6.0",
  criteria: ["2.4.13"],
  level: "wcag22aaa",
  category: "keyboard",
  impact: "moderate",
  selector: "a[href], area[href], button, summary, [tabindex], input",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const change = kit.stop(element)?.change;
    // The line around a link of several lines has many corners.
    if (!change || !kit.isVisible(element) || element.getClientRects().length !== 1) return undefined;
    const { width, height } = element.getBoundingClientRect();
    const line = 2;
    const required = width * height - Math.max(0, width - 2 * line) * Math.max(0, height - 2 * line);
    // A line of 1 pixel covers a little more than half; the size of round or padded elements is not certain.
    const [certain, enough] = [0.6, 0.9];
    const share = change.clearArea / required;
    if (share >= enough) return "passes";
    const data = { area: change.clearArea, required: Math.round(required), contrast: Math.floor(change.contrast * 100) / 100 };
    const isFaint = change.clearArea === 0;
    return share < certain ? { fails: isFaint ? "faint" : "small", data } : { asks: "almost", data };
  },
};
