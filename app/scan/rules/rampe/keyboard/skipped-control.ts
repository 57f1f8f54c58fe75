import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.1.1 for HTML controls that `tabindex="-1"` removes from the Tab order, and for all controls that the Tab key passes by in a walk
 * to the end of the page, although they can have the focus. Arrow keys may reach those of a widget, and another control may do the same,
 * so a person decides about the others, once for each kind.
 */
export const skippedControl: PageRule = {
  id: "rampe-skipped-control",
  since: "1.17.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "a[href], button, input, select, textarea, summary, [tabindex]",
  // A control hidden from screen readers is still used by sighted keyboard users.
  includesHidden: true,
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    if (kit.stop(element)) return "passes";
    if (kit.isSkipped(element)) return hasOther() ? "passes" : { asks: "passed" };
    const isOut = kit.matches(element, "a[href], button, input, select, textarea, summary") && Number(kit.attribute(element, "tabindex")) < 0;
    if (!isOut || !kit.isVisible(element) || !kit.hasHitArea(element)) return undefined;
    if (kit.matches(element, ":disabled, [aria-disabled=true], [type=radio], [type=file]") || kit.style(element).pointerEvents === "none") return undefined;
    // Arrow keys reach the controls in a widget.
    const widgets = ["toolbar", "tablist", "menu", "menubar", "listbox", "tree", "treegrid", "grid", "radiogroup", "combobox", "row", "tab", "menuitem", "option", "treeitem", "gridcell", "spinbutton", "slider"];
    const widget = widgets.map((role) => `[role=${role}]`).join(", ");
    if (kit.matches(element, widget) || kit.around(element, `${widget}, [aria-activedescendant]`)) return undefined;
    if (besideField() || isTrapForRobots()) return undefined;
    if (hasOther()) return "passes";
    return kit.isFirstOfKind(element, "rampe-skipped-control") ? { asks: "skipped" } : undefined;

    /** Does another control, which the Tab key reaches, lead to the same place, or have the same name? */
    function hasOther(): boolean {
      return kit.once("what the Tab key reaches", reached).has(keyOf(element)) || kit.once("names that the Tab key reaches", reachedNames).has(kit.plain(kit.name(element)));
    }

    /** Buttons of a field: arrow keys in the field open its list, or change its number, as they do. */
    function besideField(): boolean {
      const near = [kit.parent(element), kit.parent(kit.parent(element) ?? element)];
      return near.some((each) => each && kit.first(each, "input[type=number], [role=combobox], [role=spinbutton], input[list], input[aria-haspopup], input[type=date]"));
    }

    /** Is it in a honeypot, which users are asked to leave empty? */
    function isTrapForRobots(): boolean {
      const labels = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? [...(element.labels ?? [])] : [];
      return labels.some((label) => /\b(blank|empty|leer|frei lassen|robots?|bots?|spam\w*|nicht ausfüllen)\b/i.test(kit.text(label)));
    }

    function keyOf(each: Element): string {
      return each instanceof HTMLAnchorElement ? each.href : "";
    }

    function reached(): Set<string> {
      return new Set(kit.all("a[href]").filter((each) => kit.isInTabOrder(each) && !kit.isSkipped(each)).map(keyOf).filter(Boolean));
    }

    function reachedNames(): Set<string> {
      const controls = kit.all("a[href], button, input, select, textarea, summary, [role=button], [role=link]").filter((each) => kit.isInTabOrder(each) && kit.isVisible(each) && !kit.isSkipped(each));
      return new Set(controls.map((each) => kit.plain(kit.name(each))).filter(Boolean));
    }
  },
};
