import type { Appearance } from "./condition";
import type { LOSS, MeasureGlobals } from "./measures";

/* These functions run inside a page, in an isolated world; they are sent as source text. */

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
  /** Boxes that held all their text before, to an element whose text they cut off now. */
  cut: Map<Element, Element>;
  /** Elements with text, to an element whose text lies over it. Neither lay over the other before. */
  overlapped: Map<Element, Element>;
}

export interface LayoutGlobals {
  /** Of the condition that the page is in. */
  rampeLayout?: LayoutFacts;
  rampeBefore?: {
    controls: Element[];
    /** Elements with the pointer of a hand. */
    pointers: Set<Element>;
    /** Boxes that hide what does not fit into them, and in which all fits. */
    filled: Set<Element>;
    overlaps: Map<Element, Set<Element>> | undefined;
  };
}

/** Keeps the layout of the page before it is shown in other conditions. */
export function rememberLayout(): void {
  const { rampeMeasures: measures } = globalThis as MeasureGlobals;
  if (!measures) throw new Error("No measures are defined.");
  const lines = measures.lines();
  const holders = new Set(lines.map(({ holder }) => holder));
  const cut = measures.cuts(lines);
  const isFilled = (box: Element | undefined) => box && !cut.has(box) && box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1;
  const filled = [...holders].map((holder) => measures.clipOf(holder)).filter(isFilled);
  (globalThis as LayoutGlobals).rampeBefore = {
    controls: measures.controls(),
    pointers: new Set(measures.pointers()),
    filled: new Set(filled as Element[]),
    overlaps: measures.overlaps(lines),
  };
}

/**
 * Keeps what the page is like in the condition that it is shown in.
 * @param loss `LOSS`
 */
export function noteLayout(condition: Appearance, loss: typeof LOSS): void {
  const { rampeMeasures: measures, rampeBefore: before } = globalThis as LayoutGlobals & MeasureGlobals;
  if (!measures || !before) throw new Error("No layout is remembered.");
  const lines = measures.lines();
  const [width, height] = [innerWidth, 256];
  const root = document.scrollingElement ?? document.documentElement;
  const nothing: LayoutFacts = { tooWide: new Map(), scrollsSideways: false, lost: new Set(), cut: new Map(), overlapped: new Map() };
  (globalThis as LayoutGlobals).rampeLayout =
    condition === "phone"
      ? { ...nothing, tooWide: tooWide(), scrollsSideways: canScrollSideways(), lost: lost() }
      : { ...nothing, cut: cut(), overlapped: overlapped() };

  function canScrollSideways(): boolean {
    const isHidden = [document.documentElement, document.body].some((each) => /hidden|clip/.test(getComputedStyle(each).overflowX));
    return !isHidden && root.scrollWidth > width + 1;
  }

  function tooWide(): LayoutFacts["tooWide"] {
    const found: LayoutFacts["tooWide"] = new Map();
    // Pages from right to left overflow on the other side; short ones are scrolled in one direction, at 1280 × 1024 pixels and 400 %.
    if (getComputedStyle(document.body).direction === "rtl" || root.scrollHeight <= height) return found;
    for (const { text, holder, left, right, top, bottom } of lines) {
      const isOutside = left >= 0 && bottom > 0 && left < width && right > width + (bottom - top) * loss.halfLetter;
      if (!isOutside || measures?.isExemptFromReflow(holder)) continue;
      const box = measures?.widestAround(holder) ?? holder;
      const known = found.get(box) ?? { end: 0, words: text.data };
      found.set(box, { ...known, end: Math.round(Math.max(known.end, right, box.getBoundingClientRect().right + scrollX)) });
    }
    return found;
  }

  function lost(): Set<Element> {
    const shown = measures?.controls() ?? [];
    const known = new Set(before?.controls);
    const opens = "[aria-expanded], [aria-haspopup], [aria-controls], [popovertarget], [commandfor], summary, a[href^='#'], [role=tab]";
    const opening = /men[uü]|navi|more|mehr|next|prev|back|weiter|zurück|vor|[☰≡›‹»«→←]/i;
    const isOpener = (each: Element) => !known.has(each) || each.matches(opens) || opening.test(nameOf(each));
    if (shown.some(isOpener) || hasHiddenSwitch() || hasNewPointer()) return new Set();
    const left = new Set(shown);
    const names = new Set(shown.map(nameOf));
    const addresses = new Set(shown.map(addressOf).filter(Boolean));
    const isLost = (each: Element) => each.isConnected && !left.has(each) && !names.has(nameOf(each)) && !addresses.has(addressOf(each));
    return new Set(before?.controls.filter((each) => isLost(each) && /\p{L}{2}/u.test(nameOf(each))));
  }

  /** What scripts made of an element that is no control; a component may have an opener inside. */
  function hasNewPointer(): boolean {
    return (measures?.pointers() ?? []).some((each) => !before?.pointers.has(each) || each.localName.includes("-"));
  }

  /** A checkbox that is not drawn may open a menu when its label is pressed. */
  function hasHiddenSwitch(): boolean {
    const isHidden = (control: HTMLElement | null) => control?.matches("[type=checkbox], [type=radio]") && !control.checkVisibility({ opacityProperty: true });
    return [...document.querySelectorAll("label")].some(({ control }) => isHidden(control));
  }

  function nameOf(element: Element): string {
    const [label, ...others] = ["aria-label", "title", "value", "name"].map((name) => element.getAttribute(name));
    const words = label ?? (element.textContent || others.find(Boolean) || "");
    return words.trim().replace(/\s+/g, " ").toLowerCase();
  }

  function addressOf(element: Element): string {
    return element instanceof HTMLAnchorElement ? element.href : "";
  }

  function cut(): Map<Element, Element> {
    return new Map([...(measures?.cuts(lines) ?? [])].filter(([box]) => before?.filled.has(box)));
  }

  function overlapped(): Map<Element, Element> {
    const found = new Map<Element, Element>();
    const earlier = before?.overlaps;
    if (!earlier) return found;
    // Something that lies over the page, such as a banner, now lies over another part of it.
    const known = new Set([...earlier].flatMap(([one, others]) => [one, ...others]));
    const isFresh = (each: Element) => !known.has(each) && !measures?.isFixed(each);
    for (const [one, others] of measures?.overlaps(lines) ?? []) {
      const other = isFresh(one) && [...others].find(isFresh);
      if (other) found.set(one, other);
    }
    return found;
  }
}

/** Back in the usual condition: forgets what is the same here, so that the condition is not its reason. */
export function confirmFacts(): void {
  const { rampeLayout: facts, rampeMeasures: measures } = globalThis as LayoutGlobals & MeasureGlobals;
  if (!facts || !measures) throw new Error("No layout was kept.");
  const lines = measures.lines();
  const shown = new Set(measures.controls());
  for (const each of facts.lost) if (!shown.has(each)) facts.lost.delete(each);
  for (const box of measures.cuts(lines).keys()) facts.cut.delete(box);
  const overlaps = measures.overlaps(lines);
  for (const [one, other] of facts.overlapped) {
    if (!overlaps || overlaps.has(one) || overlaps.has(other)) facts.overlapped.delete(one);
  }
}

/** Whether there is anything to judge in the condition that the page is shown in. */
export function hasFacts(): boolean {
  const { tooWide, lost, cut, overlapped } = (globalThis as LayoutGlobals).rampeLayout ?? {};
  return [tooWide, lost, cut, overlapped].some((facts) => facts !== undefined && facts.size > 0);
}

/** After a condition has ended: rules that run from now on find nothing. */
export function clearFacts(): void {
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  (globalThis as LayoutGlobals).rampeLayout = { tooWide: new Map(), scrollsSideways: false, lost: new Set(), cut: new Map(), overlapped: new Map() };
}
