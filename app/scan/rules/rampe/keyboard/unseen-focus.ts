import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.4.7: the focus comes to an element that cannot be seen, such as a link of a closed menu outside the window, and pictures of the
 * window with and without the focus are the same. It asks about an element without an area: a picture in it may be missing.
 */
export const unseenFocus: PageRule = {
  id: "rampe-unseen-focus",
  since: "1.18.0",
  criteria: ["2.4.7"],
  level: "wcag2aa",
  category: "keyboard",
  impact: "serious",
  // A browser shows the focus of a part of a picture on the picture, which may be missing.
  selector: ":not(area)",
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
