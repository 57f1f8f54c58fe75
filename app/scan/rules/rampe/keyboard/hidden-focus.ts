import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** The Tab key reaches an element hidden from assistive technology. The rule answers the question of axe-core's `aria-hidden-focus`. */
export const hiddenFocus: PageRule = {
  id: "rampe-hidden-focus",
  since: "1.10.0",
  criteria: ["4.1.2"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "serious",
  // Same element as in axe-core's report.
  selector: "[aria-hidden=true]",
  includesHidden: true,
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    if (kit.around(element, "[aria-hidden=true]")) return undefined;
    const inside = [element, ...element.querySelectorAll("*")];
    const stops = inside.flatMap((each) => kit.stop(each) ?? []);
    if (stops.length === 0) return undefined;
    const hidden = stops.filter(({ isHidden, loses }) => isHidden && !loses);
    return hidden.length > 0 ? { fails: "stays", data: { count: hidden.length } } : "passes";
  },
};
