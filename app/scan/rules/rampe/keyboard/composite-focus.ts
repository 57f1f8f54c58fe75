import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** ARIA Authoring Practices: a widget takes the focus on an item, or manages it itself. A person decides whether a simple one has a function. */
export const compositeFocus: PageRule = {
  id: "rampe-composite-focus",
  since: "1.0.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "[role=tablist], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=treegrid], [role=grid], [role=radiogroup], [role=button], [role=link], [role=checkbox], [role=switch], [role=slider], [role=spinbutton], [role=combobox], [role=textbox]",
  judge(element, kit): Judgement | undefined {
    const role = kit.attribute(element, "role") ?? "";
    if (!kit.isVisible(element) || !kit.isExposed(element) || kit.matches(element, "[aria-disabled=true], [aria-disabled=true] *, :disabled, fieldset[disabled] *")) return undefined;
    if (/^(button|link|checkbox|switch|slider|spinbutton|combobox|textbox)$/.test(role)) return judgeSimple();
    const visible = kit.insideComposed(element, kit.itemsOf(role)).filter((item) => kit.isVisible(item));
    if (visible.length === 0 || visible.every((item) => item.matches(":disabled, [aria-disabled=true]"))) return undefined;
    const within = [element, ...kit.insideComposed(element, "*")];
    if (within.some((each) => kit.isInTabOrder(each))) return "passes";
    // A toolbar has one Tab stop for all its controls.
    const bar = kit.around(element, "[role=toolbar], [role=menubar], [role=menu], [role=tree], [role=treegrid], [role=grid]");
    if (bar && kit.insideComposed(bar, "*").some((each) => kit.isInTabOrder(each))) return "passes";
    // The focus stays in a field beside the widget, or moves into the widget when it opens.
    const isSteered = element.id !== "" && kit.all("[aria-controls], [aria-owns]").some((each) => `${kit.attribute(each, "aria-controls")} ${kit.attribute(each, "aria-owns")}`.split(" ").includes(element.id));
    const opens = /^(listbox|menu|tree|grid)$/.test(role) && within.some((each) => kit.attribute(each, "tabindex") !== null);
    if (isSteered || opens || kit.attribute(element, "aria-activedescendant") !== null) return undefined;
    // A grid may only show data. A closed shadow root may contain a focusable element.
    const isStill = /grid$/.test(role) && !within.some((each) => kit.attribute(each, "aria-selected") !== null || reacts(each));
    return isStill || kit.mayHideControls(element) ? { asks: isStill ? "still" : "unreachable", data: { role } } : { fails: "unreachable", data: { role } };

    /** Judges simple controls. Those with listeners of their own are judged by `mouse-only` and `scripted-control`. */
    function judgeSimple(): Judgement | undefined {
      if (kit.matches(element, "a[*|href], button, input, select, textarea, summary, label, iframe")) return undefined;
      const within = [element, ...kit.insideComposed(element, "*")];
      if (within.some((each) => kit.isInTabOrder(each))) return "passes";
      // axe-core does not count editable text as focusable.
      if (within.some((each) => (each as Partial<HTMLElement>).isContentEditable)) return "passes";
      // A script may move the focus to the element, or the element is part of a focusable control.
      if (within.some((each) => kit.attribute(each, "tabindex") !== null) || kit.mayHideControls(element)) return undefined;
      const holders = "a[*|href], button, summary, label, [tabindex], [aria-activedescendant], [role=tablist], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=treegrid], [role=grid], [role=radiogroup], [role=toolbar]";
      if (kit.around(element, holders) || kit.matches(element, "[aria-current], [aria-readonly=true]")) return undefined;
      return reacts(element) || !kit.hasHitArea(element) ? undefined : { asks: "simple", data: { role } };
    }

    function reacts(each: Element): boolean {
      const types = [...kit.attributeNames(each).filter((name) => name.startsWith("on")), ...kit.knownListeners(each)];
      return types.some((type) => /click|mouse|pointer|touch/.test(type));
    }
  },
};
