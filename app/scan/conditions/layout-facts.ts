/** These functions run inside a page, in an isolated world; they are sent as source text. */

/** What a condition did to the layout of a page. */
export interface LayoutFacts {
  /**
   * Boxes that reach out of the window, with text that begins in it and ends outside of it: where the box ends, in CSS pixels, and the
   * first such text.
   */
  tooWide: Map<Element, { end: number; words: string }>;
  /** The page can be scrolled sideways; otherwise what is outside of the window cannot be reached. */
  scrollsSideways: boolean;
  /** Controls shown before that are neither shown now, nor behind a control that may open something. */
  lost: Set<Element>;
  /** Boxes that held all their content before, to an element whose text they cut off now. */
  cut: Map<Element, Element>;
  /** Elements with text, to the element whose text lies over it. Neither lay over the other before. */
  overlapped: Map<Element, Element>;
}

/** In CSS pixels of the page. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A piece of text on one line. */
interface Line extends Box {
  text: Text;
  holder: Element;
}

export interface LayoutGlobals {
  /** Of the condition that the page is in. */
  rampeLayout?: LayoutFacts;
  rampeBefore?: {
    controls: Element[];
    /** Boxes that hide what does not fit into them, and in which all fits. */
    filled: Set<Element>;
    /** Pairs of elements whose texts lie over each other. */
    overlaps: [Element, Element][];
  };
  rampeMeasure?: {
    lines(): Line[];
    overlaps(lines: Line[]): [Element, Element][] | undefined;
    controls(): Element[];
    clipOf(element: Element): Element | undefined;
    isExempt(element: Element): boolean;
  };
}

/** Defines how a layout is measured; call it once, first. */
export function defineMeasures(): void {
  const mostTexts = 20_000;
  const mostComparisons = 300_000;
  /** Parts of a line's height and of an em: less is no loss. */
  const share = 0.35;
  const measure = { lines, overlaps, controls, clipOf, isExempt };
  (globalThis as LayoutGlobals).rampeMeasure = measure;

  function lines(): Line[] {
    const found: Line[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let count = 0; count < mostTexts && texts.nextNode(); count += 1) {
      const text = texts.currentNode as Text;
      const holder = text.parentElement;
      // Icon fonts use characters that are neither letters nor digits.
      if (!holder || !/[\p{L}\p{N}]/u.test(text.data) || !isDrawn(holder)) continue;
      range.selectNodeContents(text);
      for (const { left, top, right, bottom } of range.getClientRects()) {
        if (right - left < 1 || bottom - top < 1) continue;
        found.push({ text, holder, left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
      }
    }
    return found;
  }

  function isDrawn(element: Element): boolean {
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
  }

  /** @returns undefined on a page with too many lines at one height */
  function overlaps(all: Line[]): [Element, Element][] | undefined {
    const pairs = new Map<Element, Set<Element>>();
    const sorted = seenParts(all).sort((a, b) => a.top - b.top);
    let open: Line[] = [];
    let comparisons = 0;
    for (const line of sorted) {
      open = open.filter(({ bottom }) => bottom > line.top);
      comparisons += open.length;
      if (comparisons > mostComparisons) return undefined;
      for (const other of open) if (liesOver(line, other)) note(other.holder, line.holder);
      open.push(line);
    }
    return [...pairs].flatMap(([one, others]) => [...others].map((other): [Element, Element] => [one, other]));

    function note(one: Element, other: Element) {
      const known = pairs.get(one);
      if (known) known.add(other);
      else pairs.set(one, new Set([other]));
    }
  }

  /** What boxes around the lines let through. */
  function seenParts(all: Line[]): Line[] {
    const windows = new Map<Element, Box>();
    return all.flatMap((line) => {
      const through = windows.get(line.holder) ?? windowOf(line.holder);
      windows.set(line.holder, through);
      const seen = both(line, through);
      return seen.right > seen.left && seen.bottom > seen.top ? [{ ...line, ...seen }] : [];
    });
  }

  function windowOf(element: Element): Box {
    return clipsAround(element).reduce<Box>((seen, box) => {
      const { left, top, right, bottom } = box.getBoundingClientRect();
      return both(seen, { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
    }, { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity });
  }

  function both(a: Box, b: Box): Box {
    return { left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) };
  }

  function liesOver(a: Line, b: Line): boolean {
    if (a.holder === b.holder || a.holder.contains(b.holder) || b.holder.contains(a.holder)) return false;
    const lower = Math.min(a.bottom - a.top, b.bottom - b.top);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return down > lower * share && across > lower * share;
  }

  function controls(): Element[] {
    const selector = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=checkbox], [role=switch]";
    return [...document.querySelectorAll(selector)].filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      return width > 2 && height > 2 && isDrawn(each);
    });
  }

  /** The innermost box that hides what does not fit into it; undefined if there is none, or if a box that scrolls comes first. */
  function clipOf(element: Element): Element | undefined {
    const [box] = clipsAround(element);
    if (!box) return undefined;
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
    // A text with an ellipsis is shortened on purpose.
    const isShortened = textOverflow !== "clip" || webkitLineClamp !== "none";
    return isShortened || /auto|scroll/.test(`${overflowX} ${overflowY}`) ? undefined : box;
  }

  /** Boxes that show a part of their content alone, the innermost first. */
  function clipsAround(element: Element): Element[] {
    const boxes: Element[] = [];
    let isAbsolute = false;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { position, overflowX, overflowY, transform } = getComputedStyle(at);
      if (!isAbsolute || position !== "static" || transform !== "none") {
        if (`${overflowX} ${overflowY}` !== "visible visible") boxes.push(at);
        isAbsolute = position === "absolute";
      }
      if (position === "fixed") break;
    }
    return boxes;
  }

  /** Whether scrolling in two directions is allowed for it, or it scrolls by itself. */
  function isExempt(element: Element): boolean {
    const twoDimensional = "pre, code, svg, math, canvas, iframe, textarea, select, input, [role=img], [role=math], [role=grid], [role=treegrid], [role=toolbar], [role=application], [contenteditable]";
    const table = element.closest("table");
    if (element.closest(twoDimensional) ?? table?.querySelector("th, caption, thead") ?? element.closest("[role=table]")) return true;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { position, overflowX } = getComputedStyle(at);
      if (/auto|scroll|hidden|clip/.test(overflowX) || position === "fixed") return true;
    }
    return false;
  }
}

/** Keeps the layout of the page before it is shown in other conditions. */
export function rememberLayout(): void {
  const page = globalThis as LayoutGlobals;
  const { rampeMeasure: measure } = page;
  if (!measure) throw new Error("No measures are defined.");
  const lines = measure.lines();
  const boxes = new Set([...new Set(lines.map(({ holder }) => holder))].map((holder) => measure.clipOf(holder)));
  const filled = [...boxes].filter((box) => box !== undefined && box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1);
  page.rampeBefore = { controls: measure.controls(), filled: new Set(filled as Element[]), overlaps: measure.overlaps(lines) ?? [] };
}

/** Keeps what the page is like in the condition that it is shown in. @returns whether controls are missing */
export function noteLayout(): boolean {
  const page = globalThis as LayoutGlobals;
  const { rampeMeasure: measure, rampeBefore: before } = page;
  if (!measure || !before) throw new Error("No layout is remembered.");
  /** Parts of a line's height: what is above and below the letters of most words, and a letter that is cut in the middle. */
  const [besideLetters, halfLetter] = [0.25, 0.35];
  const root = document.scrollingElement ?? document.documentElement;
  const lines = measure.lines();
  const scrollsSideways = canScrollSideways();
  page.rampeLayout = { tooWide: tooWide(), scrollsSideways, lost: lost(), cut: cut(), overlapped: overlapped() };
  return page.rampeLayout.lost.size > 0;

  function canScrollSideways(): boolean {
    const isHidden = [document.documentElement, document.body].some((each) => /hidden|clip/.test(getComputedStyle(each).overflowX));
    return !isHidden && root.scrollWidth > innerWidth + 1;
  }

  function tooWide(): LayoutFacts["tooWide"] {
    const found: LayoutFacts["tooWide"] = new Map();
    // Pages from right to left overflow on the other side.
    if (getComputedStyle(document.body).direction === "rtl" || root.scrollHeight <= innerHeight / 2) return found;
    for (const { text, holder, left, right, top, bottom } of lines) {
      const isOutside = left >= 0 && left < innerWidth && right > innerWidth + (bottom - top) * halfLetter;
      if (!isOutside || measure?.isExempt(holder)) continue;
      const box = widest(holder);
      const known = found.get(box) ?? { end: 0, words: text.data };
      found.set(box, { ...known, end: Math.round(Math.max(known.end, right, box.getBoundingClientRect().right + scrollX)) });
    }
    return found;
  }

  /** The outermost box around a text that reaches out of the window: there it becomes too wide. */
  function widest(holder: Element): Element {
    let box = holder;
    for (let at: Element | null = holder; at && at !== document.documentElement; at = at.parentElement) {
      if (at.getBoundingClientRect().right + scrollX > innerWidth + 1) box = at;
    }
    return box;
  }

  function lost(): Set<Element> {
    const shown = measure?.controls() ?? [];
    const known = new Set(before?.controls);
    const opens = "[aria-expanded], [aria-haspopup], [aria-controls], [popovertarget], [commandfor], summary, a[href^='#'], [role=tab]";
    const isOpener = (each: Element) => !known.has(each) || each.matches(opens) || /men[uü]|navi|more|mehr|☰|≡/i.test(nameOf(each));
    if (shown.some(isOpener) || hasHiddenSwitch()) return new Set();
    const left = new Set(shown);
    const names = new Set(shown.map(nameOf));
    const addresses = new Set(shown.map(addressOf).filter(Boolean));
    const isLost = (each: Element) => each.isConnected && !left.has(each) && !names.has(nameOf(each)) && !addresses.has(addressOf(each));
    return new Set(before?.controls.filter((each) => isLost(each) && /\p{L}{2}/u.test(nameOf(each))));
  }

  /** A checkbox that is not drawn may open a menu when its label is pressed. */
  function hasHiddenSwitch(): boolean {
    return [...document.querySelectorAll("label")].some(({ control }) => control?.matches("[type=checkbox], [type=radio]") && !control.checkVisibility({ opacityProperty: true }));
  }

  function nameOf(element: Element): string {
    const words = element.getAttribute("aria-label") ?? (element.textContent || element.getAttribute("title") || element.getAttribute("value") || element.getAttribute("name") || "");
    return words.trim().replace(/\s+/g, " ").toLowerCase();
  }

  function addressOf(element: Element): string {
    return element instanceof HTMLAnchorElement ? element.href : "";
  }

  function cut(): Map<Element, Element> {
    const found = new Map<Element, Element>();
    for (const { holder, left, top, right, bottom } of lines) {
      const box = measure?.clipOf(holder);
      if (!box || !before?.filled.has(box)) continue;
      const { overflowX, overflowY } = getComputedStyle(box);
      const edge = box.getBoundingClientRect();
      const height = bottom - top;
      const [down, across] = [height * besideLetters, height * halfLetter];
      const isCutDown = overflowY !== "visible" && (bottom - (edge.bottom + scrollY) > down || edge.top + scrollY - top > down);
      const isCutAcross = overflowX !== "visible" && (right - (edge.right + scrollX) > across || edge.left + scrollX - left > across);
      if (isCutDown || isCutAcross) found.set(box, holder);
    }
    return found;
  }

  function overlapped(): Map<Element, Element> {
    const isSame = ([one, other]: [Element, Element], [first, second]: [Element, Element]) => (one === first && other === second) || (one === second && other === first);
    const pairs = measure?.overlaps(lines) ?? [];
    const fresh = pairs.filter((pair) => !before?.overlaps.some((earlier) => isSame(pair, earlier)) && !pair.some(isFixed));
    return new Map(fresh);
  }

  /** What it lies over changes with scrolling. */
  function isFixed(element: Element): boolean {
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (/^(fixed|sticky)$/.test(getComputedStyle(at).position)) return true;
    }
    return false;
  }
}

/** Back in the usual condition: controls that are still missing were not lost by the narrow screen. */
export function confirmLost(): void {
  const { rampeLayout, rampeMeasure } = globalThis as LayoutGlobals;
  const shown = new Set(rampeMeasure?.controls());
  for (const each of rampeLayout?.lost ?? []) if (!shown.has(each)) rampeLayout?.lost.delete(each);
}

/** Whether there is anything to judge in the condition that the page is shown in. */
export function hasFacts(): boolean {
  const { tooWide, lost, cut, overlapped } = (globalThis as LayoutGlobals).rampeLayout ?? {};
  return [tooWide, lost, cut, overlapped].some((facts) => facts !== undefined && facts.size > 0);
}

/** After a condition has ended: rules that run from now on find nothing. */
export function forgetFacts(): void {
  (globalThis as LayoutGlobals).rampeLayout = { tooWide: new Map(), scrollsSideways: false, lost: new Set(), cut: new Map(), overlapped: new Map() };
}
