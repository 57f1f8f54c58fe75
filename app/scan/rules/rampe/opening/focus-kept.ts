import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** After a control has removed itself, the keyboard goes on near the place where it was. */
export const focusKept: PageRule = {
  id: "rampe-focus-kept",
  since: "1.9.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "moderate",
  selector: "*",
  // What is left around the control may mean nothing to assistive technology.
  includesHidden: true,
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const gone = kit.goneControl(element);
    if (!gone) return undefined;
    return gone.losesFocus ? { fails: "lost", data: { name: gone.name } } : "passes";
  },
};
