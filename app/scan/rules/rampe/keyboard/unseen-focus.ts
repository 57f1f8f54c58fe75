import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.4.7: an invisible element gets the focus, such as a link of a closed menu outside the window, and pictures of the window with
 * and without the focus are the same. The rule asks about an element without an area: a picture in it may be missing.
 */
export const unseenFocus: PageRule = {
  id: "rampe-unseen-focus",
  since: "1.18.0",
  criteria: ["2.4.7"],
  level: "wcag2aa",
  category: "keyboard",
  impact: "serious",
  // Browsers show the focus of an `area` on its picture, which may be missing.
  selector: ":not(area)",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const { hiding, isUnseen } = kit.stop(element) ?? {};
    if (!hiding || isUnseen === undefined) return undefined;
    if (!isUnseen) return "passes";
    return hiding === "empty" ? { asks: "empty" } : { fails: hiding };
  },
};
