import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ARIA Authoring Practices: the Tab key leads to a widget, and arrow keys lead to its items or change its value. */
export const widgetKeys: PageRule = {
  id: "rampe-widget-keys",
  since: "1.8.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "[role=tablist], [role=menu], [role=menubar], [role=listbox], [role=radiogroup], [role=tree], [role=treegrid], [role=grid], [role=toolbar], [role=combobox], [role=slider], [role=spinbutton]",
  // A menu is closed again after its trial.
  includesHidden: true,
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const { items, value, closing } = kit.keyTrials(element) ?? {};
    // Another key than Escape is enough for WCAG.
    const staysOpen = closing && !closing.by && closing.covers ? closing : undefined;
    if (items) {
      const { role, unreached, isAnswered, onArrows, byPointer, hasSteps, missed } = items;
      const data = { role, count: unreached };
      if (missed) {
        // Cells of grids often take the focus without having a function.
        const isCertain = missed.byPointer && !hasSteps && !/grid$/.test(role);
        const about = { role, count: missed.count, name: kit.excerpt(missed.name) };
        return isCertain ? { fails: "missed", data: about } : { asks: "missed", data: about };
      }
      if (unreached === 0 || onArrows) return staysOpen ? { asks: "open", data: { role } } : "passes";
      if (isAnswered) return { asks: "arrows", data };
      // Without any effect, nothing is certain.
      if (!byPointer) return undefined;
      if (/grid$/.test(role)) return { asks: "cells", data };
      return hasSteps ? { asks: "steps", data } : { fails: "items", data };
    }
    if (staysOpen) return { asks: "open", data: { role: staysOpen.role } };
    if (!value) return undefined;
    const { role, isAnswered, onArrows, byPointer, hasOther } = value;
    if (isAnswered) return onArrows ? "passes" : { asks: "value", data: { role } };
    if (byPointer && !hasOther) return { fails: "value", data: { role } };
    // Buttons beside a spin button often change its value.
    return byPointer || (role === "spinbutton" && hasOther) ? { asks: "value", data: { role } } : undefined;
  },
};
