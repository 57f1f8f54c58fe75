/* This function runs inside a page, in an isolated world; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";

/** Box in CSS pixels of the page. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A piece of text on one line. */
export interface Line extends Box {
  text: Text;
  /** Element that directly contains the text, or whose shadow root does. */
  holder: Element;
}

/** Measurements of a page's layout. */
interface Measures {
  /** Texts with letters or digits that are drawn, also outside of the window and in open shadow roots. */
  lines(): Line[];
  /** Links, buttons and fields that are drawn. */
  controls(): Element[];
  /** Drawn controls in open shadow roots. */
  innerControls(): Element[];
  /** Drawn elements with `cursor: pointer`, and web components. */
  pointers(): Element[];
  /** Elements with overlapping texts, each with the others; undefined on a page with too many texts at one height. */
  overlaps(lines: Line[]): Map<Element, Set<Element>> | undefined;
  /** Boxes that hide a part of their text permanently, each with the first element of such text. */
  cuts(lines: Line[]): Map<Element, Element>;
  /** Innermost box around an element that hides its overflow; undefined for none, or if a scrollable box comes first. */
  clipOf(element: Element): Element | undefined;
  /** Outermost box around an element, or the element itself, that ends right of the window. */
  widestAround(element: Element): Element;
  /** May the element need scrolling in two directions, does it scroll by itself, or does a script move it? */
  isExemptFromReflow(element: Element): boolean;
  /** Same as `Node.contains`, also for elements in shadow roots of the outer element. */
  holds(outer: Element, inner: Element): boolean;
  /** Does the element stay in its place when the page is scrolled? */
  isFixed(element: Element): boolean;
  /** Parts of the lines that are not clipped by boxes around them. */
  seenParts(lines: Line[]): Line[];
  /** Can the element be closed, such as a consent box or a dialog? */
  canBeClosed(element: Element): boolean;
}

export interface MeasureGlobals {
  rampeMeasures?: Measures;
}

/** Parts of a line's height: space above and below the letters of most words; a letter that is cut in the middle. */
export const LOSS = { besideLetters: 0.25, halfLetter: 0.35 };

/** @param loss `LOSS` */
export function defineMeasures(loss: typeof LOSS): void {
  const mostTexts = 20_000;
  const mostComparisons = 200_000;
  const globals = globalThis as unknown as MeasureGlobals & DomGlobals;
  const { rampeDom: dom } = globals;
  globals.rampeMeasures = { lines, controls, innerControls, pointers, overlaps, cuts, clipOf, widestAround, isExemptFromReflow, holds, isFixed, seenParts, canBeClosed };

  function lines(): Line[] {
    const found: Line[] = [];
    const away = new Map<Element, boolean>();
    const range = document.createRange();
    let count = 0;
    for (const text of textsIn([document.body, ...shadowRoots()])) {
      count += 1;
      if (count > mostTexts) break;
      const parent = text.parentNode;
      const holder = parent instanceof ShadowRoot ? parent.host : text.parentElement;
      // Icon fonts use characters that are neither letters nor digits.
      if (!holder || !/[\p{L}\p{N}]/u.test(text.data) || !isDrawn(holder) || isAway(holder, away)) continue;
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        if (rect.width >= 1 && rect.height >= 1) found.push({ text, holder, ...inPage(rect) });
      }
    }
    return found;
  }

  function* textsIn(roots: Node[]): Generator<Text> {
    for (const root of roots) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) yield texts.currentNode as Text;
    }
  }

  function controls(): Element[] {
    return controlsIn(document);
  }

  function innerControls(): Element[] {
    return shadowRoots().flatMap(controlsIn);
  }

  function shadowRoots(): ShadowRoot[] {
    const [, ...inner] = dom.roots();
    return inner;
  }

  function controlsIn(root: Document | ShadowRoot): Element[] {
    const selector = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=checkbox], [role=switch]";
    return [...root.querySelectorAll(selector)].filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      // Elements that fade in on scrolling count.
      return width > 2 && height > 2 && each.checkVisibility({ visibilityProperty: true });
    });
  }

  function pointers(): Element[] {
    const isPointed = (each: Element) => dom.localName(each).includes("-") || getComputedStyle(each).cursor === "pointer";
    return [...document.body.querySelectorAll("*")].filter((each) => isPointed(each) && dom.isShown(each));
  }

  function overlaps(all: Line[]): Map<Element, Set<Element>> | undefined {
    const pairs = new Map<Element, Set<Element>>();
    const sorted = seenParts(all).sort((a, b) => a.top - b.top);
    let open: Line[] = [];
    let comparisons = 0;
    for (const line of sorted) {
      open = open.filter(({ bottom }) => bottom > line.top);
      comparisons += open.length;
      if (comparisons > mostComparisons) return undefined;
      for (const other of open) if (liesOver(line, other)) pairs.set(other.holder, (pairs.get(other.holder) ?? new Set()).add(line.holder));
      open.push(line);
    }
    return pairs;
  }

  function cuts(all: Line[]): Map<Element, Element> {
    const found = new Map<Element, Element>();
    const boxes = new Map<Element, Element | undefined>();
    for (const line of all) {
      if (!boxes.has(line.holder)) boxes.set(line.holder, clipOf(line.holder));
      const box = boxes.get(line.holder);
      if (!box || found.has(box)) continue;
      const { overflowX, overflowY } = getComputedStyle(box);
      const edge = inPage(dom.box(box));
      const height = line.bottom - line.top;
      const [down, across] = [height * loss.besideLetters, height * loss.halfLetter];
      const isCutDown = overflowY !== "visible" && (line.bottom - edge.bottom > down || edge.top - line.top > down);
      const isCutAcross = overflowX !== "visible" && (line.right - edge.right > across || edge.left - line.left > across);
      if (isCutDown || isCutAcross) found.set(box, line.holder);
    }
    return found;
  }

  function clipOf(element: Element): Element | undefined {
    const [box] = clipsAround(element);
    if (!box) return undefined;
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
    // A text with an ellipsis is shortened on purpose.
    const isShortened = textOverflow !== "clip" || webkitLineClamp !== "none";
    return isShortened || /auto|scroll/.test(`${overflowX} ${overflowY}`) ? undefined : box;
  }

  function widestAround(element: Element): Element {
    const ends = around(element).filter((each) => inPage(dom.box(each)).right > innerWidth + 1);
    return ends.at(-1) ?? element;
  }

  function isExemptFromReflow(element: Element): boolean {
    const twoDimensional = "pre, code, svg, math, canvas, iframe, textarea, select, input, [role=img], [role=math], [role=table], [role=grid], [role=treegrid], [role=toolbar], [role=application], [contenteditable]";
    return around(element).some((each) => {
      if (dom.matches(each, twoDimensional) || (dom.localName(each) === "table" && isData(each as HTMLTableElement))) return true;
      const { position, overflowX, transform } = getComputedStyle(each);
      return each !== document.body && (overflowX !== "visible" || position === "fixed" || transform !== "none");
    });
  }

  /** Is it a data table, as far as can be determined? A layout table has one column or row, or contains tables. */
  function isData(table: HTMLTableElement): boolean {
    if (table.matches("[role=presentation], [role=none]")) return false;
    const hasColumns = table.rows.length > 1 && [...table.rows].some(({ cells }) => cells.length > 1);
    return table.querySelector("th, caption, thead") !== null || (hasColumns && !table.querySelector("table"));
  }

  function isFixed(element: Element): boolean {
    return around(element).some((each) => /^(fixed|sticky)$/.test(getComputedStyle(each).position));
  }

  function isDrawn(element: Element): boolean {
    return dom.isShown(element, { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
  }

  /** Is the element for screen readers only? @param known results so far, valid for a moment */
  function isAway(element: Element, known: Map<Element, boolean>): boolean {
    const earlier = known.get(element);
    if (earlier !== undefined) return earlier;
    const { clip, clipPath, position } = getComputedStyle(element);
    const isClipped = (clip !== "auto" && /^(absolute|fixed)$/.test(position)) || /inset\((50|100)%/.test(clipPath);
    const parent = dom.composedParent(element);
    const result = isClipped || (parent !== null && isAway(parent, known));
    known.set(element, result);
    return result;
  }

  /** The element and its ancestors, up to the body. */
  function around(element: Element): Element[] {
    const found: Element[] = [];
    for (let at: Element | null = element; at && at !== document.documentElement; at = dom.composedParent(at)) found.push(at);
    return found;
  }

  function holds(outer: Element, inner: Element): boolean {
    return dom.contains(outer, inner) || around(inner).includes(outer);
  }

  /** Boxes around an element that hide a part of their content, the innermost first. */
  function clipsAround(element: Element): Element[] {
    const boxes: Element[] = [];
    let isAbsolute = false;
    for (const each of around(element)) {
      const { position, overflowX, overflowY, transform } = getComputedStyle(each);
      if (each === document.body) break;
      if (!isAbsolute || position !== "static" || transform !== "none") {
        if (`${overflowX} ${overflowY}` !== "visible visible") boxes.push(each);
        isAbsolute = position === "absolute";
      }
      if (position === "fixed") break;
    }
    return boxes;
  }

  function seenParts(all: Line[]): Line[] {
    const known = new Map<Element, Box[]>();
    return all.flatMap((line) => {
      const windows = known.get(line.holder) ?? clipsAround(line.holder).map((box) => inPage(dom.box(box)));
      known.set(line.holder, windows);
      const seen = windows.reduce(both, line);
      return seen.right > seen.left && seen.bottom > seen.top ? [{ ...line, ...seen }] : [];
    });
  }

  function canBeClosed(element: Element): boolean {
    const closing = /accept|agree|allow|reject|decline|refuse|close|dismiss|got it|akzeptier|zustimm|erlaub|ablehn|schlie(ß|ss)|verstanden|einverstanden|^\W*(ok|x|×|✕|✖)\W*$/i;
    const dialogs = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]";
    if (dom.matches(element, dialogs) || dom.first(element, dialogs)) return true;
    return dom.inside(element, "button, a, [role=button], input[type=button], input[type=submit]").some((each) => closing.test([dom.text(each), dom.attribute(each, "aria-label"), dom.attribute(each, "title"), dom.attribute(each, "value")].join(" ").trim()));
  }

  function both(a: Box, b: Box): Box {
    return { left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) };
  }

  function liesOver(a: Line, b: Line): boolean {
    if (a.holder === b.holder) return false;
    const least = Math.min(a.bottom - a.top, b.bottom - b.top) * loss.halfLetter;
    const shared = both(a, b);
    return shared.bottom - shared.top > least && shared.right - shared.left > least && !holds(a.holder, b.holder) && !holds(b.holder, a.holder);
  }

  function inPage({ left, top, right, bottom }: DOMRect): Box {
    return { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY };
  }
}
