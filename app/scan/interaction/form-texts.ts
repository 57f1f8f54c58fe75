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
    closestTo(node: Element | Text, selector: string): Element | null;
    /** Element with the whole message; a part of it may be in bold. */
    messageAround(node: Text, before: Texts): Element | null;
    /** Field beside a text: alone with it in a box, or right after it. */
    fieldBeside(message: Element, all: Field[], form: HTMLFormElement): Field | undefined;
    isReferredTo(field: Field, message: Element): boolean;
    hasTextBeside(field: Field, shown: Texts): boolean;
    /** Is the message in a web component without the field? Its script can make that a live region that no attribute shows. */
    isInOtherComponent(message: Element, field: Field): boolean;
    /** Sizes of the shown frames in a form. */
    frameSizes(form: HTMLFormElement): Map<Element, string>;
    /** May there be texts that cannot be read, in closed shadow roots, or in frames that have appeared or changed their size? */
    hasUnseenParts(form: HTMLFormElement, framesBefore: Map<Element, string>): boolean;
  };
}

/** Needs `defineFormFields`. */
export function defineFormTexts(): void {
  const globals = globalThis as unknown as FormFieldsGlobals & FormTextsGlobals & DomGlobals;
  const { rampeFormFields, rampeDom: dom } = globals;
  if (!rampeFormFields) throw new Error("No fields of forms are defined.");
  const { fieldSelector, isShown, insideComposed, labelsOf, boxesOf, isSameChoice } = rampeFormFields;
  const mostTexts = 20_000;
  const mostParts = 2_000;

  globals.rampeFormTexts = {
    ...{ isDrawn, shownTexts, freshTexts, drawnParts, closestTo },
    ...{ messageAround, fieldBeside, isReferredTo, hasTextBeside, isInOtherComponent, frameSizes, hasUnseenParts },
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
        const holder = dom.parent(node) ?? hostOf(node);
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

  function hostOf(node: Node): Element | null {
    const root = dom.parentNode(node);
    return root instanceof ShadowRoot ? root.host : null;
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
    const all = insideComposed(form).slice(0, mostParts);
    const drawn = all.flatMap((each) => ["::before", "::after"].map((part) => getComputedStyle(each, part).content)).filter((content) => content !== "none" && content !== "normal");
    const pictures = dom.roots().flatMap((root) => [...root.querySelectorAll("img, svg, canvas, iframe, video, object")]).slice(0, mostParts).filter(isDrawn);
    return [...drawn, pictures.length].join();
  }

  function closestTo(node: Element | Text, selector: string): Element | null {
    for (let at = dom.composedParent(node); at; at = dom.composedParent(at)) if (dom.matches(at, selector)) return at;
    return null;
  }

  function messageAround(node: Text, before: Texts): Element | null {
    let element = dom.parent(node) ?? hostOf(node);
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
    for (let box: Element | null = message; box && box !== dom.composedParent(form); box = dom.composedParent(box)) {
      const at = box;
      const inside = all.filter((field) => dom.holds(at, field));
      const [first] = inside;
      if (!first) continue;
      if (inside.every((field) => field === first || isSameChoice(first, field))) return first;
      return inside.filter((field) => isBefore(field, message)).at(-1);
    }
    return undefined;
  }

  /** Is an element before another one in the composed tree? */
  function isBefore(one: Element, other: Element): boolean {
    if (dom.root(one) === dom.root(other)) return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const [first, second] = [one, other].map(ways) as [Element[], Element[]];
    const at = first.findIndex((each, index) => each !== second[index]);
    const [left, right] = [first[at], second[at]];
    return left !== undefined && right !== undefined && (left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  }

  /** Elements from the outermost to this one, through slots. */
  function ways(element: Element): Element[] {
    const way: Element[] = [];
    for (let at: Element | null = element; at; at = dom.slot(at) ?? dom.parent(at) ?? hostOf(at)) way.unshift(at);
    return way;
  }

  function isReferredTo(field: Field, message: Element): boolean {
    const group = closestTo(field, "fieldset, [role=radiogroup], [role=group]");
    const about = ["aria-describedby", "aria-errormessage", "aria-labelledby", "aria-details"].flatMap((attribute) => [field, group].flatMap((each) => (each ? dom.referenced(each, attribute) : [])));
    const legend = group && dom.first(group, "legend");
    return [...about, ...labelsOf(field), ...(legend ? [legend] : [])].some((each) => dom.holds(each, message) || dom.holds(message, each));
  }

  function hasTextBeside(field: Field, shown: Texts): boolean {
    const outermost = boxesOf(field).at(-1);
    const labels = labelsOf(field);
    const isOther = (node: Text) => !labels.some((label) => dom.holds(label, node)) && !closestTo(node, "button, legend");
    const described = dom.referenced(field, "aria-describedby").some((each) => dom.text(each).trim() !== "");
    return described || [...shown.keys()].some((node) => outermost !== field && outermost && dom.holds(outermost, node) && isOther(node)) || hasTextBehind();

    /** Is there text behind the field, before the next field or button? */
    function hasTextBehind(): boolean {
      const next = outermost && dom.next(outermost);
      const others = `label, button, ${fieldSelector}`;
      return next !== null && next !== undefined && !dom.matches(next, others) && !dom.first(next, others) && dom.text(next).trim() !== "" && isShown(next);
    }
  }

  function isInOtherComponent(message: Element, field: Field): boolean {
    for (let at: Element | null = message; at && !dom.holds(at, field); at = dom.composedParent(at)) {
      if (dom.localName(at).includes("-") && dom.matches(at, ":defined")) return true;
    }
    return false;
  }

  function frameSizes(form: HTMLFormElement): Map<Element, string> {
    const frames = insideComposed(form).filter((each) => dom.localName(each) === "iframe" && isShown(each));
    return new Map(frames.map((frame) => [frame, `${Math.round(dom.box(frame).width)} ${Math.round(dom.box(frame).height)}`]));
  }

  function hasUnseenParts(form: HTMLFormElement, framesBefore: Map<Element, string>): boolean {
    const isClosed = (each: Element) => dom.localName(each).includes("-") && dom.matches(each, ":defined") && dom.shadow(each) === null && isShown(each) && !drawsContent(each);
    const hasChanged = [...frameSizes(form)].some(([frame, size]) => framesBefore.get(frame) !== size);
    return hasChanged || insideComposed(form).some(isClosed) || dom.attribute(form, "is") !== null;
  }

  /** Is any content of the element drawn? A shadow root without a slot draws none. */
  function drawsContent(element: Element): boolean {
    const range = document.createRange();
    const isDrawnText = (node: Node) => {
      if (!(node instanceof Text) || node.data.trim() === "") return false;
      range.selectNodeContents(node);
      return range.getClientRects().length > 0;
    };
    return dom.nodes(element).some(isDrawnText) || dom.inside(element, "*").some(isShown);
  }
}
