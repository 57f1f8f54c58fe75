import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ARIA Authoring Practices: a widget with items is entered by one of them, or manages its focus itself. */
export const compositeFocus: PageRule = {
  id: "rampe-composite-focus",
  since: "1.0.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "[role=tablist], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=treegrid], [role=grid], [role=radiogroup]",
  judge(element, kit) {
    const role = kit.attribute(element, "role") ?? "";
    if (!kit.isVisible(element) || !kit.isExposed(element) || kit.matches(element, "[aria-disabled=true], [aria-disabled=true] *, :disabled, fieldset[disabled] *")) return undefined;
    const visible = kit.insideComposed(element, kit.itemsOf(role)).filter((item) => kit.isVisible(item));
    if (visible.length === 0 || visible.every((item) => item.matches(":disabled, [aria-disabled=true]"))) return undefined;
    const within = [element, ...kit.insideComposed(element, "*")];
    if (within.some((each) => kit.isInTabOrder(each))) return "passes";
    // A toolbar has one stop for all that is in it.
    const bar = kit.around(element, "[role=toolbar], [role=menubar], [role=menu], [role=tree], [role=treegrid], [role=grid]");
    if (bar && kit.insideComposed(bar, "*").some((each) => kit.isInTabOrder(each))) return "passes";
    // Focus stays in a field beside it, or is moved into it when it opens.
    const isSteered = element.id !== "" && kit.all("[aria-controls], [aria-owns]").some((each) => `${kit.attribute(each, "aria-controls")} ${kit.attribute(each, "aria-owns")}`.split(" ").includes(element.id));
    const opens = /^(listbox|menu|tree|grid)$/.test(role) && within.some((each) => kit.attribute(each, "tabindex") !== null);
    if (isSteered || opens || kit.attribute(element, "aria-activedescendant") !== null) return undefined;
    // Nothing can be done in a grid that only shows something. A component may hold what takes the focus.
    const isStill = /grid$/.test(role) && !within.some((each) => kit.attribute(each, "aria-selected") !== null || kit.attributeNames(each).some((name) => name.startsWith("on")));
    return isStill || kit.isClosed(element) ? { asks: isStill ? "still" : "unreachable", data: { role } } : { fails: "unreachable", data: { role } };
  },
};
