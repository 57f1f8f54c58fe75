/* The functions of this file run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { Field, FormFieldsGlobals } from "./form-fields";

/** Shown text nodes, with their words. */
export type Texts = Map<Text, string>;

export interface FormTextsGlobals {
  rampeFormTexts?: {
    isDrawn(element: Element): boolean;
    /** Texts that are not hidden, also those for screen readers only; undefined if there are too many. */
    shownTexts(): Texts | undefined;
    freshTexts(now: Texts, before: Texts): Text[];
    /** Generated content and pictures of a form, which may contain words. */
    drawnParts(form: HTMLFormElement): string;
    /** Closest ancestor in the composed tree that matches the selector. */
    closestTo(node: Node, selector: string): Element | null;
    /** Element with the whole message; a part of it may be in bold. */
    messageAround(node: Text, before: Texts): Element | null;
    /** Field beside a text: alone with it in a box, or right after it. */
    fieldBeside(message: Element, all: Field[], form: HTMLFormElement): Field | undefined;
    isReferredTo(field: Field, message: Element): boolean;
    hasTextBeside(field: Field, shown: Texts): boolean;
    /** Texts in frames and in closed shadow roots cannot be read. */
    hasUnseenParts(form: HTMLFormElement): boolean;
  };
}

/** Needs `defineFormFields`. */
export function defineFormTexts(): void {
  const globals = globalThis as unknown as FormFieldsGlobals & FormTextsGlobals & DomGlobals;
  const { rampeFormFields, rampeDom: dom } = globals;
  if (!rampeFormFields) throw new Error("No fields of forms are defined.");
  const { fieldSelector, isShown, referenced, boxesOf, isSameChoice } = rampeFormFields;
  const mostTexts = 20_000;
  const mostParts = 2_000;

  globals.rampeFormTexts = {
    ...{ isDrawn, shownTexts, freshTexts, drawnParts, closestTo },
    ...{ messageAround, fieldBeside, isReferredTo, hasTextBeside, hasUnseenParts },
  };

  function isDrawn(element: Element): boolean {
    const { width, height, right, bottom } = dom.box(element);
    return width >= 3 && height >= 3 && right + scrollX > 0 && bottom + scrollY > 0 && dom.isShown(element, { visibilityProperty: true, opacityProperty: true });
  }

  function shownTexts(): Texts | undefined {
    const shown: Texts = new Map();
    const visible = new Map<Element, boolean>();
    const roots: Node[] = [document.documentElement];
    let count = 0;
    for (let root = roots.pop(); root; root = roots.pop()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node instanceof Element) {
          const inner = dom.shadow(node);
          if (inner) roots.push(inner);
          continue;
        }
        const holder = dom.parent(node);
        const words = (node as Text).data.replace(/\s+/g, " ").trim();
        if (!holder || words === "" || /^(script|style|noscript|template|title|option|textarea)$/.test(dom.localName(holder))) continue;
        if ((count += 1) > mostTexts) return undefined;
        const isVisible = visible.get(holder) ?? dom.isShown(holder, { visibilityProperty: true });
        visible.set(holder, isVisible);
        if (isVisible) shown.set(node as Text, words);
      }
    }
    return shown;
  }

  function countsOf(shown: Texts): Map<string, number> {
    const counts = new Map<string, number>();
    for (const words of shown.values()) counts.set(words, (counts.get(words) ?? 0) + 1);
    return counts;
  }

  /** New texts. Scripts often write all texts again, so a text is new only if it occurs more often. */
  function freshTexts(now: Texts, before: Texts): Text[] {
    const [countsNow, countsBefore] = [countsOf(now), countsOf(before)];
    return [...now].flatMap(([node, words]) => (before.get(node) !== words && (countsNow.get(words) ?? 0) > (countsBefore.get(words) ?? 0) ? [node] : []));
  }

  function drawnParts(form: HTMLFormElement): string {
    const all = dom.inside(form, "*").slice(0, mostParts);
    const drawn = all.flatMap((each) => ["::before", "::after"].map((part) => getComputedStyle(each, part).content)).filter((content) => content !== "none" && content !== "normal");
    const pictures = [...document.querySelectorAll("img, svg, canvas, iframe, video, object")].slice(0, mostParts).filter(isDrawn);
    return [...drawn, pictures.length].join();
  }

  function closestTo(node: Node, selector: string): Element | null {
    for (let at = dom.parentNode(node); at; at = at instanceof ShadowRoot ? at.host : dom.parentNode(at)) {
      if (at instanceof Element && dom.matches(at, selector)) return at;
    }
    return null;
  }

  function messageAround(node: Text, before: Texts): Element | null {
    let element = dom.parent(node);
    for (let around = element && dom.parent(element); element && around; around = dom.parent(around)) {
      if (getComputedStyle(element).display !== "inline" || !isPartOfMessage(around, before)) break;
      element = around;
    }
    return element;
  }

  function isPartOfMessage(parent: Element, before: Texts): boolean {
    const texts = dom.nodes(parent).filter((each): each is Text => each instanceof Text && each.data.trim() !== "");
    return !dom.first(parent, fieldSelector) && !dom.matches(parent, "form, label, legend, body, li, td") && texts.length > 0 && texts.every((text) => !before.has(text));
  }

  function fieldBeside(message: Element, all: Field[], form: HTMLFormElement): Field | undefined {
    for (let box: Element | null = message; box && box !== dom.parent(form); box = dom.parent(box)) {
      const at = box;
      const inside = all.filter((field) => dom.contains(at, field));
      const [first] = inside;
      if (!first) continue;
      if (inside.every((field) => field === first || isSameChoice(first, field))) return first;
      return inside.filter((field) => field.compareDocumentPosition(message) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
    }
    return undefined;
  }

  function isReferredTo(field: Field, message: Element): boolean {
    const group = field.closest("fieldset, [role=radiogroup], [role=group]");
    const about = ["aria-describedby", "aria-errormessage", "aria-labelledby", "aria-details"].flatMap((attribute) => [field, group].flatMap((each) => (each ? referenced(each, attribute) : [])));
    const legend = group && dom.first(group, "legend");
    return [...about, ...(field.labels ?? []), ...(legend ? [legend] : [])].some((each) => dom.contains(each, message) || dom.contains(message, each));
  }

  function hasTextBeside(field: Field, shown: Texts): boolean {
    const outermost = boxesOf(field).at(-1);
    const labels = [...(field.labels ?? []), ...referenced(field, "aria-labelledby")];
    const isOther = (node: Text) => !labels.some((label) => dom.contains(label, node)) && !closestTo(node, "button, legend");
    const described = referenced(field, "aria-describedby").some((each) => dom.text(each).trim() !== "");
    return described || [...shown.keys()].some((node) => outermost !== field && outermost && dom.contains(outermost, node) && isOther(node)) || hasTextBehind();

    /** Is there text behind the field, before the next field or button? */
    function hasTextBehind(): boolean {
      const next = outermost && dom.next(outermost);
      const others = `label, button, ${fieldSelector}`;
      return next !== null && next !== undefined && !dom.matches(next, others) && !dom.first(next, others) && dom.text(next).trim() !== "" && isShown(next);
    }
  }

  function hasUnseenParts(form: HTMLFormElement): boolean {
    const all = dom.inside(form, "*");
    return all.some((each) => (each.localName.includes("-") && !each.shadowRoot) || each.localName === "iframe") || dom.attribute(form, "is") !== null;
  }
}
