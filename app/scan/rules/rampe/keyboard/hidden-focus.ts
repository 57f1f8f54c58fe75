import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** The Tab key stays on what assistive technology does not see. It answers what axe-core's `aria-hidden-focus` asks. */
export const hiddenFocus: PageRule = {
  id: "rampe-hidden-focus",
  since: "1.10.0",
  criteria: ["4.1.2"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "serious",
  // As axe-core reports it.
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
