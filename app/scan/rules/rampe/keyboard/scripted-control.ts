import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F42 and F59 for listeners that scripts add; those in attributes belong to `mouse-only`. */
export const scriptedControl: PageRule = {
  id: "rampe-scripted-control",
  since: "1.4.0",
  criteria: ["2.1.1", "4.1.2"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "body *",
  isAdvanced: true,
  judge(element, kit): Judgement | undefined {
    const types = kit.listeners(element);
    const mouse = types.filter((type) => /^(click|dblclick|mouse|pointer|touch)/.test(type));
    if (mouse.length === 0 || mouse.some(isOfAttribute) || !kit.isVisible(element) || !kit.hasHitArea(element)) return undefined;

    const native = "a[*|href], area[href], button, input, select, textarea, summary, label, option, video, audio, iframe, embed, object, body, form, main, dialog";
    const items = "[role=option], [role=tab], [role=treeitem], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=gridcell], [role=radio]";
    // Arrow keys also reach controls of toolbars and rows of grids. A part of the page with this tabindex is only a target of skip links.
    const moved = `:is(${items}, [role=button], [role=link], [role=checkbox], [role=switch], [role=row])[tabindex='-1']`;
    const acting = `a[*|href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1']), ${moved}, [contenteditable], iframe, video[controls], audio[controls]`;
    if (kit.matches(element, native) || kit.around(element, "a[*|href], button, label, summary, [aria-hidden=true]")) return undefined;
    // A container reacts for its content.
    if (kit.insideComposed(element, acting).length > 0 || kit.around(element, `[tabindex]:not([tabindex='-1']), ${moved}`)) return undefined;
    // Arrow keys may reach items of lists, tabs and menus.
    if (kit.matches(element, items) || kit.around(element, items)) return undefined;
    if (kit.matches(element, "ul, ol, dl, table, tbody, nav, section, header, footer, aside, fieldset, [role=group], [role=list], [role=dialog]")) return undefined;
    const text = kit.visibleText(element);
    const hasContent = text !== "" || kit.matches(element, "img, svg, canvas, [aria-label]") || kit.first(element, "img, svg, canvas, [aria-label]") !== null;
    const longest = 200;
    if (!hasContent || text.length > longest) return undefined;

    const data = { events: [...new Set(mouse)].join(", ") };
    // `cursor: pointer` shows that the element can be clicked.
    const isPointed = kit.style(element).cursor === "pointer";
    if (!kit.isFocusable(element)) return isPointed && !hasNeighbour() && !kit.mayHideControls(element) ? { fails: "unreachable", data } : { asks: "reacts", data };
    if (!kit.isInTabOrder(element)) return undefined;
    const role = kit.attribute(element, "role");
    // A header cell may be focusable, and sort its column.
    const hasRoleOfTable = kit.matches(element, "th, td") && /^(columnheader|rowheader|gridcell)$/.test(kit.role(element) ?? "");
    if (!role && (kit.isCustomElement(element) || hasRoleOfTable)) return { asks: "role", data };
    if (!role) return isPointed ? { fails: "role", data } : { asks: "reacts", data };
    const needsKeys = /^(button|link|checkbox|switch)$/.test(role);
    const hasKeys = types.some((type) => type.startsWith("key")) || ["onkeydown", "onkeyup", "onkeypress"].some((event) => kit.attribute(element, event) !== null);
    return needsKeys && !hasKeys ? { asks: "keys", data: { role, ...data } } : "passes";

    function isOfAttribute(type: string): boolean {
      const code = kit.attribute(element, `on${type}`);
      return code !== null && !kit.doesNothing(code);
    }

    /** Is there another control in its row? It may do the same. */
    function hasNeighbour(): boolean {
      const row = kit.around(element, "tr, li, article, [role=row], [role=listitem]");
      if (!row) return kit.isPictureOfCard(element);
      const known = kit.once("rows with anything that acts", () => new Map<Element, boolean>());
      if (!known.has(row)) known.set(row, kit.insideComposed(row, acting).length > 0);
      return known.get(row) === true;
    }
  },
};
