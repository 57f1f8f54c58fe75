import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F44: positive values of tabindex create a second order beside the document order. */
export const tabOrder: PageRule = {
  id: "rampe-tab-order",
  since: "1.0.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "moderate",
  selector: "[tabindex]",
  judge(element, kit) {
    if (element.tabIndex <= 0) return undefined;
    const all = kit.once("positive tabindex", () => kit.all("[tabindex]").filter((each) => each.tabIndex > 0 && kit.isVisible(each)));
    if (all[0] !== element) return undefined;
    const sorted = all.every((each, index) => index === 0 || each.tabIndex >= (all[index - 1]?.tabIndex ?? 0));
    const focusable = kit.all("a[href], button, input, select, textarea, summary, [tabindex]").filter((each) => kit.isInTabOrder(each));
    const comesFirst = focusable.slice(0, all.length).every((each) => all.includes(each));
    return sorted && comesFirst ? "passes" : { asks: sorted ? "first" : "jumps", data: { count: all.length } };
  },
};
