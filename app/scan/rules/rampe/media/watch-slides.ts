/** These functions run inside a page, in an isolated world. */

import type { DomGlobals } from "~/scan/page/dom";

/** A change of the visible children of a box. */
export interface SlideChange {
  /** Start and end of the change, by the page's own clock in ms. */
  at: number;
  until: number;
  /** Changed places of children, the box's own style, and how far the box is scrolled. */
  what: string[];
}

export interface SlidesGlobals {
  rampeSlides?: { changes: Map<Element, SlideChange[]>; stop(): void };
}

/**
 * Records changes of boxes with several similar children by styles, classes and sideways scrolling, as in carousels, unless already
 * recording. Changes within one second are one, because slides glide. Events of scrolling need drawn frames, so places are compared.
 */
export function watchSlides(): void {
  const isolatedWorld = globalThis as unknown as SlidesGlobals & DomGlobals;
  const { rampeDom: dom } = isolatedWorld;
  if (isolatedWorld.rampeSlides) return;
  const [mostBoxes, mostChanges, mostChildren, mostRecords, mostParts, loadedMs, mergedMs, longestStyle] = [200, 60, 60, 5_000, 20, 1_000, 1_000, 200];
  const [lookMs, mostLooks, mostElements, mostScrollers] = [500, 120, 20_000, 20];
  /** Numbers of the looks at which scrollable boxes are searched: scripts may create them late. */
  const searches = [0, 4, 12];
  const changes = new Map<Element, SlideChange[]>();
  /** Scrollable boxes, and how far each was scrolled at the last look. */
  const scrollers = new Map<Element, number>();
  let looks = 0;
  const childCount = Object.getOwnPropertyDescriptor(Element.prototype, "childElementCount")?.get as () => number;
  let records = 0;
  const styles = new MutationObserver((all) => {
    const at = performance.now();
    // While a page loads, much of it changes.
    if (at < loadedMs) return;
    for (const { target } of all) {
      // Recording would slow down a page that changes its styles all the time.
      if ((records += 1) > mostRecords) return stop();
      if (target instanceof Element) noteStyle(target, at);
    }
  });
  styles.observe(document, { subtree: true, attributes: true, attributeFilter: ["style", "class", "hidden", "aria-hidden"] });
  const looking = setInterval(look, lookMs);
  isolatedWorld.rampeSlides = { changes, stop };

  function stop(): void {
    styles.disconnect();
    clearInterval(looking);
  }

  function look(): void {
    if (searches.includes(looks)) findScrollers();
    looks += 1;
    if (looks > mostLooks) clearInterval(looking);
    for (const [scroller, before] of scrollers) {
      const { scrollLeft } = scroller;
      if (scrollLeft === before) continue;
      scrollers.set(scroller, scrollLeft);
      const box = slidesIn(scroller);
      if (box && performance.now() >= loadedMs) note(box, performance.now(), `scrolled ${Math.round(scrollLeft)}`);
    }
  }

  function findScrollers(): void {
    const all = document.querySelectorAll("body *");
    if (all.length > mostElements) return;
    for (const element of all) {
      if (scrollers.size >= mostScrollers) return;
      if (!scrollers.has(element) && childCount.call(element) > 0 && isScrollable(element) && slidesIn(element)) scrollers.set(element, element.scrollLeft);
    }
  }

  /** Can a script scroll the box sideways by half its width or more? */
  function isScrollable(element: Element): boolean {
    const { scrollWidth, clientWidth } = element;
    return clientWidth > 0 && scrollWidth >= clientWidth * 1.5 && /auto|scroll|hidden/.test(getComputedStyle(element).overflowX);
  }

  /** The box itself, or the only part of it, if it has slides. */
  function slidesIn(scroller: Element): Element | undefined {
    const [only, ...others] = dom.children(scroller);
    return [scroller, ...(only && others.length === 0 ? [only] : [])].find(hasSlides);
  }

  function noteStyle(element: Element, at: number): void {
    if (hasSlides(element)) note(element, at, `style ${(dom.attribute(element, "style") ?? "").slice(0, longestStyle)}`);
    const box = dom.parent(element);
    if (box && hasSlides(box)) note(box, at, `child ${dom.children(box).indexOf(element)}`);
  }

  /** Has the box at least two children, all of one kind, besides controls? */
  function hasSlides(box: Element): boolean {
    if (childCount.call(box) > mostChildren) return false;
    const children = dom.children(box).filter((child) => !dom.matches(child, "button, a, input, script, style, template"));
    return children.length > 1 && children.every((child) => dom.localName(child) === dom.localName(children[0]!));
  }

  function note(box: Element, at: number, what: string): void {
    const known = changes.get(box) ?? [];
    const last = known.at(-1);
    if (last && at - last.until < mergedMs) {
      last.until = at;
      if (last.what.length < mostParts && !last.what.includes(what)) last.what.push(what);
      return;
    }
    if (known.length >= mostChanges || (known.length === 0 && !hasRoom())) return;
    changes.set(box, [...known, { at, until: at, what: [what] }]);
  }

  /** Is there room for another box? Boxes that have changed only once are replaced. */
  function hasRoom(): boolean {
    if (changes.size < mostBoxes) return true;
    const [once] = [...changes].find(([, each]) => each.length === 1) ?? [];
    return once !== undefined && changes.delete(once);
  }
}

/** Stops the recording. Call it before the page is used, because using it may move slides. */
export function stopWatchingSlides(): void {
  (globalThis as unknown as SlidesGlobals).rampeSlides?.stop();
}
