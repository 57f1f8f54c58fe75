import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ARIA Authoring Practices: an element that a script makes a button, a link, a checkbox, a switch or an item of a widget must react to the keys of that role. */
export const activationKeys: PageRule = {
  id: "rampe-activation-keys",
  since: "1.8.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "[role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=option], [role=treeitem], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=radio]",
  // A click may have hidden the element.
  includesHidden: true,
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const trial = kit.keyTrials(element)?.activation;
    if (!trial) return undefined;
    const { role, answered, missing, byPointer } = trial;
    // Without any effect, nothing is certain.
    if (answered.length === 0) return byPointer ? { fails: "pointer", data: { role } } : undefined;
    const [key] = missing;
    return key ? { asks: key === "Space" ? "space" : "enter", data: { role } } : "passes";
  },
};
