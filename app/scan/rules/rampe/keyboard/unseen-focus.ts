import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.4.7: the Tab key stops at an element that nobody sees, such as a link of a closed menu beside the window, and pictures of the
 * window with and without the focus are the same. Where nothing is there to be hidden, a picture may only be missing, so it asks.
 */
export const unseenFocus: PageRule = {
  id: "rampe-unseen-focus",
  since: "1.18.0",
  criteria: ["2.4.7"],
  level: "wcag2aa",
  category: "keyboard",
  impact: "serious",
  selector: "*",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const { hiding, isUnseen } = kit.stop(element) ?? {};
    if (!hiding || isUnseen === undefined) return undefined;
    if (!isUnseen) return "passes";
    // Missing styles may be what would show it.
    if (!kit.hasAllStyles()) return undefined;
    return hiding === "empty" ? { asks: "empty" } : { fails: hiding };
  },
};
