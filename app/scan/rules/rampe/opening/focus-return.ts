import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** After a dialog is closed, the focus returns to its previous place. */
export const focusReturn: PageRule = {
  id: "rampe-focus-return",
  since: "1.6.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "moderate",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const opening = kit.opening(element);
    if (!opening?.isModal || !opening.closedBy) return undefined;
    return opening.losesFocus ? { fails: "lost" } : "passes";
  },
};
