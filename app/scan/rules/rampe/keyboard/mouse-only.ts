import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F42, F54 and F59: an element reacts only to the mouse. */
export const mouseOnly: PageRule = {
  id: "rampe-mouse-only",
  since: "1.0.0",
  criteria: ["2.1.1", "4.1.2"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "body *",
  judge(element, kit): Judgement | undefined {
    const handlers = ["onclick", "onmousedown", "onmouseup", "ondblclick", "onpointerdown", "onpointerup", "ontouchstart"].filter((event) => kit.attribute(element, event) !== null);
    const mouse = handlers.map((event) => event.slice(2));
    if (mouse.length === 0 || !kit.isVisible(element) || !kit.hasHitArea(element)) return undefined;
    const native = "a[*|href], area[href], button, input, select, textarea, summary, label, option, video, audio, iframe, embed, object, html, body, form, main, dialog";
    const code = handlers.map((event) => kit.attribute(element, event) ?? "").join(";");
    // The click only stops the event, or closes a layer.
    if (kit.doesNothing(code)) return undefined;
    // Scripts may add other listeners, which attributes do not show.
    const keys = ["onkeydown", "onkeyup", "onkeypress"].some((event) => kit.attribute(element, event) !== null);
    if (kit.matches(element, native) || kit.around(element, "a[*|href], button, label, summary")) {
      const isPressedOnly = kit.matches(element, "a[href], button") && mouse.every((type) => /down|start/.test(type)) && !keys && !actsByItself();
      if (!isPressedOnly) return undefined;
      const data = { events: mouse.join(", ") };
      // A click listener, which Enter triggers too, can be anywhere in a script.
      return hasListeners() ? { asks: "pressed", data } : { fails: "pressed", data };
    }
    // A container usually reacts for its children.
    const isHolder = kit.matches(element, "ul, ol, dl, table, tbody, tr, nav, section, article, header, footer, aside, fieldset, [role=toolbar], [role=group], [role=list], [role=table], [role=grid], [role=region], [role=navigation], [role=dialog]");
    if (isHolder && kit.style(element).cursor !== "pointer") return undefined;
    const acting = "a[*|href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1']), [role][tabindex], [contenteditable], iframe, video[controls], audio[controls]";
    if (kit.insideComposed(element, acting).length > 0 || kit.around(element, "[tabindex]:not([tabindex='-1']), [aria-hidden=true]")) return undefined;
    const role = kit.attribute(element, "role");
    const hasWords = kit.visibleText(element) !== "" || kit.name(element) !== "" || kit.matches(element, "img, svg, canvas") || kit.first(element, "img, svg") !== null || kit.style(element).cursor === "pointer";
    if (!hasWords || (/^(none|presentation)$/.test(role ?? "") && kit.style(element).cursor !== "pointer")) return undefined;
    const data = { events: mouse.join(", ") };
    if (!kit.isFocusable(element)) return hasNeighbour() || kit.mayHideControls(element) ? { asks: "reacts", data } : { fails: "unreachable", data };
    if (!kit.isInTabOrder(element)) return undefined;
    // A header cell may be focusable, and sort its column.
    const hasRoleOfTable = kit.matches(element, "th, td") && /^(columnheader|rowheader|gridcell)$/.test(kit.role(element) ?? "");
    if (!role) return kit.isCustomElement(element) || hasRoleOfTable ? { asks: "role", data } : { fails: "role", data };
    const needsKeys = /^(button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role);
    return needsKeys && !keys ? { asks: "keys", data: { role, ...data } } : "passes";

    /** Is there another control in its row, not in an inner row? It may do the same. */
    function hasNeighbour(): boolean {
      const rows = "tr, li, article, [role=row], [role=listitem]";
      const row = kit.around(element, rows);
      if (!row) return kit.isPictureOfCard(element);
      const known = kit.once("rows with a control", () => new Map<Element, boolean>());
      if (!known.has(row)) known.set(row, kit.insideComposed(row, acting).some((each) => kit.around(each, rows) === row));
      return known.get(row) === true;
    }

    function hasListeners(): boolean {
      return kit.once("scripts that may listen to clicks", () => [...document.scripts].some(({ src, text, type }) => src !== "" || type === "module" || /addEventListener|onclick|click\(|\.on\(/.test(text)));
    }

    /** Is it a link with a target, or a button to which its form or another part of the page reacts? */
    function actsByItself(): boolean {
      if (element instanceof HTMLButtonElement) return (element.type !== "button" && element.form !== null) || element.matches("[popovertarget], [commandfor]");
      return !/^\s*($|#\s*$|javascript:\s*(void\b.*|[;/]*)$)/i.test(element.getAttribute("href") ?? "");
    }
  },
};
