import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** After a control has removed itself, the focus continues near its place. */
export const focusKept: PageRule = {
  id: "rampe-focus-kept",
  since: "1.9.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "moderate",
  selector: "*",
  // The remaining element around the control may have no meaning for assistive technology.
  includesHidden: true,
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const gone = kit.goneControl(element);
    if (!gone) return undefined;
    return gone.losesFocus ? { fails: "lost", data: { name: gone.name } } : "passes";
  },
};
