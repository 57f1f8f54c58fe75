import type { DomGlobals } from "~/scan/page/dom";
import type { Appearance } from "./condition";
import type { CoverGlobals, Covered } from "./covers";
import type { LOSS, MeasureGlobals } from "./measures";
import type { MeetingGlobals, Meetings } from "./meetings";

/* These functions run inside a page, in an isolated world; they are sent as source text. */

/** Effects of a condition on the layout of a page. */
export interface LayoutFacts {
  /**
   * Boxes that extend beyond the window, with text that begins in it and ends outside of it: the end of the box, in CSS pixels, and the
   * first such text.
   */
  tooWide: Map<Element, { end: number; words: string }>;
  /** The page can be scrolled sideways; otherwise content outside of the window cannot be reached. */
  scrollsSideways: boolean;
  /** Controls that were shown before and now are neither shown nor behind a control that may open something. */
  lost: Set<Element>;
  /** Controls that are not shown now either, while web components, which may lead to them, are; and those in web components themselves. */
  lostPerhaps: Set<Element>;
  /** Boxes that showed all their text before and cut it off now, each with an element of the cut text. */
  cut: Map<Element, Element>;
  /** Boxes that cut off some of their text before and at least one more line now, each with an element of the cut text. */
  cutMore: Map<Element, Element>;
  /** Boxes that showed all their text before and cut it off now: at their side, beside a link that may lead to the whole text, or although they grew. */
  cutPerhaps: Map<Element, Element>;
  /** Elements with text, each with an element whose text overlaps it. They did not overlap before. */
  overlapped: Map<Element, Element>;
  /** Elements with text that the paint of another element hides, which did not lie over or under them before. */
  covered: Map<Element, Covered>;
  /** Could all texts be examined for what covers them? */
  isCoverComplete: boolean;
}

export interface LayoutGlobals {
  /** Facts of the current condition. */
  rampeLayout?: LayoutFacts | undefined;
  rampeBefore?: {
    controls: Element[];
    /** Controls in open shadow roots. */
    innerControls: Element[];
    /** Elements with `cursor: pointer`. */
    pointers: Set<Element>;
    /** Boxes that hide overflow and show all their content, with their height. */
    filled: Map<Element, number>;
    /** Boxes that cut off less than half of their text, with the height of the hidden part. */
    hidden: Map<Element, number>;
    overlaps: Map<Element, Set<Element>> | undefined;
    meetings: Meetings;
    /** Facts of a condition that changes nothing. */
    nothing: () => LayoutFacts;
  };
}

/** Keeps the layout of the page before it is shown in other conditions. */
export function rememberLayout(): void {
  const { rampeMeasures: measures, rampeMeet: meet } = globalThis as MeasureGlobals & MeetingGlobals;
  if (!measures || !meet) throw new Error("No measures are defined.");
  const lines = measures.lines();
  const holders = new Set(lines.map(({ holder }) => holder));
  const cut = measures.cuts(lines);
  const isFilled = (box: Element | undefined) => box && !cut.has(box) && box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1;
  const filled = [...holders].map((holder) => measures.clipOf(holder)).filter(isFilled);
  const mostHidden = 0.5;
  const hiddenIn = (box: Element) => [box, box.scrollHeight - box.clientHeight] as const;
  (globalThis as LayoutGlobals).rampeBefore = {
    hidden: new Map([...cut.keys()].map(hiddenIn).filter(([box, height]) => height < box.scrollHeight * mostHidden)),
    controls: measures.controls(),
    innerControls: measures.innerControls(),
    pointers: new Set(measures.pointers()),
    filled: new Map((filled as Element[]).map((box) => [box, box.clientHeight])),
    overlaps: measures.overlaps(lines),
    meetings: meet(lines),
    nothing: () => ({
      ...{ tooWide: new Map(), scrollsSideways: false, lost: new Set<Element>(), lostPerhaps: new Set<Element>() },
      ...{ cut: new Map(), cutMore: new Map(), cutPerhaps: new Map(), overlapped: new Map(), covered: new Map(), isCoverComplete: true },
    }),
  };
}

/**
 * Keeps the layout of the page in the current condition.
 * @param loss `LOSS`
 */
export function noteLayout(condition: Appearance, loss: typeof LOSS): void {
  const { rampeMeasures: measures, rampeBefore: before, rampeCovers: covers, rampeDom: dom } = globalThis as unknown as LayoutGlobals & MeasureGlobals & CoverGlobals & DomGlobals;
  if (!measures || !before || !covers) throw new Error("No layout is remembered.");
  const lines = measures.lines();
  const [width, height] = [innerWidth, 256];
  const root = document.scrollingElement ?? document.documentElement;
  const facts: Partial<Record<Appearance, () => Partial<LayoutFacts>>> = {
    phone: () => ({ tooWide: tooWide(), scrollsSideways: canScrollSideways(), ...lost(), cut: brokenOff(), cutPerhaps: cutPerhaps() }),
    "text-spacing": () => ({ cut: cut(), cutMore: cutMore() }),
    "zoom-200": () => ({ cut: brokenOff() }),
    "text-200": () => ({ cut: brokenOff(), cutMore: cutMore() }),
  };
  const own = facts[condition]?.();
  const hidden = own && { overlapped: seenOverlaps(), ...covers.find(lines, before.meetings) };
  (globalThis as LayoutGlobals).rampeLayout = { ...before.nothing(), ...own, ...hidden };

  function canScrollSideways(): boolean {
    const isHidden = [document.documentElement, document.body].some((each) => /hidden|clip/.test(getComputedStyle(each).overflowX));
    return !isHidden && root.scrollWidth > width + 1;
  }

  function tooWide(): LayoutFacts["tooWide"] {
    const found: LayoutFacts["tooWide"] = new Map();
    // Right-to-left pages overflow on the other side. Short pages scroll in one direction, at 1280 × 1024 pixels and 400 %.
    if (getComputedStyle(document.body).direction === "rtl" || root.scrollHeight <= height) return found;
    for (const { text, holder, left, right, top, bottom } of lines) {
      const isOutside = left >= 0 && bottom > 0 && left < width && right > width + (bottom - top) * loss.halfLetter;
      if (!isOutside || measures?.isExemptFromReflow(holder)) continue;
      const box = measures?.widestAround(holder) ?? holder;
      const known = found.get(box) ?? { end: 0, words: text.data };
      found.set(box, { ...known, end: Math.round(Math.max(known.end, right, dom.box(box).right + scrollX)) });
    }
    return found;
  }

  function lost(): Pick<LayoutFacts, "lost" | "lostPerhaps"> {
    const shown = [...(measures?.controls() ?? []), ...(measures?.innerControls() ?? [])];
    const known = new Set([...(before?.controls ?? []), ...(before?.innerControls ?? [])]);
    const opens = "[aria-expanded], [aria-haspopup], [aria-controls], [popovertarget], [commandfor], summary, [role=tab]";
    const opening = /men[uü]|navi(?!\p{L})|navigation|(?<!\p{L})(more|mehr|next|prev|previous|back|weitere?|zurück|vor)(?!\p{L})|[☰≡›‹»«→←]/iu;
    const isOpener = (each: Element) => !known.has(each) || each.matches(opens) || opensTarget(each) || (opening.test(nameOf(each)) && !leadsAway(each));
    if (shown.some(isOpener) || hasHiddenSwitch() || hasNewPointer()) return { lost: new Set(), lostPerhaps: new Set() };
    const left = new Set(shown);
    const names = new Set(shown.map(nameOf));
    const addresses = new Set(shown.map(addressOf).filter(Boolean));
    const isLost = (each: Element) => each.isConnected && !left.has(each) && !names.has(nameOf(each)) && !addresses.has(addressOf(each));
    const missing = (controls: Element[] = []) => controls.filter((each) => isLost(each) && /\p{L}{2}/u.test(nameOf(each)));
    const [outer, inner] = [missing(before?.controls), missing(before?.innerControls)];
    return hasComponents() ? { lost: new Set(), lostPerhaps: new Set([...outer, ...inner]) } : { lost: new Set(outer), lostPerhaps: new Set(inner) };
  }

  /** Is this a link to a part of the page that is hidden now? Links to the start of the page do not count. */
  function opensTarget(link: Element): boolean {
    const [, id] = /^#(.*)$/.exec(dom.attribute(link, "href") ?? "") ?? [];
    const target = id === undefined || id === "top" ? null : document.getElementById(id);
    return id !== undefined && id !== "top" && !(target && dom.isShown(target, { visibilityProperty: true }));
  }

  function leadsAway(element: Element): boolean {
    return dom.localName(element) === "a" && !/^(#|javascript:|$)/i.test(dom.attribute(element, "href") ?? "");
  }

  /** Does the condition show a new control that a script made of another element? */
  function hasNewPointer(): boolean {
    return (measures?.pointers() ?? []).some((each) => !before?.pointers.has(each));
  }

  /** Are web components shown? They may contain what opens a menu. */
  function hasComponents(): boolean {
    return (measures?.pointers() ?? []).some((each) => dom.localName(each).includes("-"));
  }

  /** A label may open a menu by a checkbox that is not drawn. */
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
    return new Map([...(measures?.cuts(lines) ?? [])].filter(([box]) => before?.filled.has(box) && !isToldAbove(box)));
  }

  /** Can all words of the cut texts be read in texts of the same box that are shown whole? Scripts that shorten a text may leave its words twice. */
  function isToldAbove(box: Element): boolean {
    const { right, bottom } = dom.box(box);
    const [endAcross, endDown] = [right + scrollX, bottom + scrollY];
    // A single word may stand there for another reason.
    const leastWords = 3;
    const inBox = lines.filter(({ holder }) => measures?.holds(box, holder));
    const cutTexts = new Set(inBox.filter((line) => line.bottom > endDown + 1 || line.right > endAcross + 1).map(({ text }) => text));
    const wordsOf = (texts: Text[]) => ` ${texts.map(({ data }) => data.trim()).join(" ").replace(/\s+/g, " ")} `;
    const shown = new Set(inBox.map(({ text }) => text).filter((text) => !cutTexts.has(text)));
    const cutWords = wordsOf([...cutTexts]);
    return cutWords.trim().split(" ").length >= leastWords && wordsOf([...shown]).includes(cutWords);
  }

  /**
   * Text that begins inside its box and continues below it. A text hidden as a whole may be hidden on purpose, and the height of a box that did
   * grow may be chosen for its text.
   */
  function brokenOff(isExcused = (box: Element) => opensMore(box) || leadsToMore(box) || hasGrown(box)): Map<Element, Element> {
    const found = cut();
    for (const box of found.keys()) {
      const edge = dom.box(box).bottom + scrollY;
      const inBox = lines.filter(({ holder }) => measures?.holds(box, holder));
      const broken = inBox.find(({ text, top, bottom }) => bottom - edge > (bottom - top) * loss.besideLetters && inBox.some((each) => each.text === text && each.bottom <= edge + 1));
      if (!broken || isExcused(box)) found.delete(box);
      else found.set(box, broken.holder);
    }
    return found;
  }

  function hasGrown(box: Element): boolean {
    return box.clientHeight > (before?.filled.get(box) ?? 0) + 1;
  }

  function cutMore(): Map<Element, Element> {
    const found = new Map<Element, Element>();
    for (const [box, holder] of measures?.cuts(lines) ?? []) {
      const earlier = before?.hidden.get(box);
      const { top = 0, bottom = 0 } = lines.find((line) => line.holder === holder) ?? {};
      if (earlier !== undefined && box.scrollHeight - box.clientHeight - earlier >= bottom - top && !opensMore(box) && !leadsToMore(box) && !isToldAbove(box)) found.set(box, holder);
    }
    return found;
  }

  function cutPerhaps(): Map<Element, Element> {
    return new Map([...brokenOff(opensMore), ...cutAcross()]);
  }

  /** Text cut off at the side. Boxes with several parts side by side may move, such as slides; content outside of the window is `tooWide`. */
  function cutAcross(): Map<Element, Element> {
    const found = new Map<Element, Element>();
    if (getComputedStyle(document.body).direction === "rtl") return found;
    for (const box of cut().keys()) {
      const { left, right } = inPage(box);
      const inBox = lines.filter((line) => measures?.holds(box, line.holder));
      const hasParts = inBox.some((line) => line.left >= right - 1 || line.right <= left + 1);
      const broken = inBox.find((line) => line.left >= left - 1 && line.right - right > (line.bottom - line.top) * loss.halfLetter);
      if (broken && right <= width + 1 && !hasParts && !opensMore(box) && getComputedStyle(box).overflowX !== "visible") found.set(box, broken.holder);
    }
    return found;
  }

  function inPage(box: Element): { left: number; right: number } {
    const { left, right } = dom.box(box);
    return { left: left + scrollX, right: right + scrollX };
  }

  /** A control beside the text may show the rest. */
  function opensMore(box: Element): boolean {
    const levels = 3;
    const more = /(?<!\p{L})(more|mehr|weiter|read|lesen|show|anzeigen|expand|ausklappen|aufklappen)(?!\p{L})/iu;
    let around: Element | null = box;
    for (let level = 0; around && level < levels; level += 1) {
      around = dom.parent(around);
      const openers = around ? dom.inside(around, "button, [role=button], summary") : [];
      if (openers.some((each) => more.test(nameOf(each)))) return true;
    }
    return isBeside(box, "button, summary, [aria-expanded], [role=button], input[type=checkbox]");
  }

  /** A teaser's link leads to the whole text. */
  function leadsToMore(box: Element): boolean {
    return isBeside(box, "a[href]");
  }

  function isBeside(box: Element, opener: string): boolean {
    return dom.closest(box, opener) !== null || dom.first(dom.parent(box) ?? box, opener) !== null;
  }

  /** Overlapping texts, except texts with other drawn content between them. */
  function seenOverlaps(): Map<Element, Element> {
    const most = 20;
    const pairs = [...overlapped()].slice(0, most);
    const seen = pairs.filter(([one, other]) => {
      const point = sharedPoint(one, other);
      if (!point) return false;
      scrollTo({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant" });
      const stack = dom.stackAt(point.x - scrollX, point.y - scrollY);
      const [first, second] = [stack.indexOf(one), stack.indexOf(other)].sort((a, b) => a - b) as [number, number];
      return first >= 0 && !stack.slice(0, second).some(hidesBelow);
    });
    scrollTo({ top: 0, left: 0, behavior: "instant" });
    return new Map(seen);
  }

  /** Point of the page at which both overlap. */
  function sharedPoint(one: Element, other: Element): { x: number; y: number } | undefined {
    for (const a of lines) {
      if (a.holder !== one) continue;
      for (const b of lines) {
        const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)];
        const [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)];
        if (b.holder === other && right > left && bottom > top) return { x: (left + right) / 2, y: (top + bottom) / 2 };
      }
    }
    return undefined;
  }

  function hidesBelow(element: Element): boolean {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== "none" || !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
  }

  function overlapped(): Map<Element, Element> {
    const found = new Map<Element, Element>();
    const earlier = before?.overlaps;
    if (!earlier) return found;
    // A layer over the page, such as a banner, now covers another part of it.
    const known = new Set([...earlier].flatMap(([one, others]) => [one, ...others]));
    // Text hidden from screen readers may be decoration, such as a large number behind a heading.
    const isFresh = (each: Element) => !known.has(each) && !measures?.isFixed(each) && !dom.closest(each, "[aria-hidden=true]");
    for (const [one, others] of measures?.overlaps(lines) ?? []) {
      const other = isFresh(one) && [...others].find(isFresh);
      if (other) found.set(one, other);
    }
    return found;
  }
}

/** Back in the usual condition: forgets facts that are the same here, because the condition is not their reason. */
export function confirmFacts(): void {
  const { rampeLayout: facts, rampeMeasures: measures, rampeBefore: before, rampeCovers: covers } = globalThis as LayoutGlobals & MeasureGlobals & CoverGlobals;
  if (!facts || !measures || !before || !covers) throw new Error("No layout was kept.");
  const lines = measures.lines();
  const shown = new Set([...measures.controls(), ...measures.innerControls()]);
  for (const found of [facts.lost, facts.lostPerhaps]) for (const each of found) if (!shown.has(each)) found.delete(each);
  for (const box of measures.cuts(lines).keys()) for (const boxes of [facts.cut, facts.cutPerhaps]) boxes.delete(box);
  for (const box of facts.cutMore.keys()) if (box.scrollHeight - box.clientHeight > (before.hidden.get(box) ?? 0) + 1) facts.cutMore.delete(box);
  const overlaps = measures.overlaps(lines);
  for (const [one, other] of facts.overlapped) {
    if (!overlaps || overlaps.has(one) || overlaps.has(other)) facts.overlapped.delete(one);
  }
  if (facts.covered.size > 0) covers.confirm(facts.covered, lines);
}

/** Back in the condition: forgets covered texts that have become free, as on a page that moves by itself. */
export function repeatFacts(): void {
  const { rampeLayout: facts, rampeMeasures: measures, rampeCovers: covers } = globalThis as LayoutGlobals & MeasureGlobals & CoverGlobals;
  if (facts && facts.covered.size > 0) covers?.repeat(facts.covered, measures?.lines() ?? []);
}

/** Are there facts to judge in the current condition? */
export function hasFacts(): boolean {
  const { tooWide, lost, lostPerhaps, cut, cutMore, cutPerhaps, overlapped, covered } = (globalThis as LayoutGlobals).rampeLayout ?? {};
  return [tooWide, lost, lostPerhaps, cut, cutMore, cutPerhaps, overlapped, covered].some((facts) => facts !== undefined && facts.size > 0);
}

/** Could the current condition be examined for all that covers text? */
export function areCoversComplete(): boolean {
  return (globalThis as LayoutGlobals).rampeLayout?.isCoverComplete ?? true;
}

/** Clears the facts after a condition, so that rules that run later find nothing, and pass. */
export function clearFacts(): void {
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  const globals = globalThis as LayoutGlobals;
  globals.rampeLayout = globals.rampeBefore?.nothing();
}
