/** These functions run inside a page, in an isolated world. */

import type { DomGlobals } from "~/scan/page/dom";

/** A change of the visible children of a box. */
export interface SlideChange {
  /** Start and end of the change, by the page's own clock in ms. */
  at: number;
  until: number;
  /** Changed places of children, and the box's own style. */
  what: string[];
}

export interface SlidesGlobals {
  rampeSlides?: { changes: Map<Element, SlideChange[]>; stop(): void };
}

/**
 * Records changes of boxes with several similar children by styles and classes, as in carousels, unless already recording. Changes within
 * one second are one, because slides glide. Scrolling is not recorded: its events need drawn frames.
 */
export function watchSlides(): void {
  const isolatedWorld = globalThis as unknown as SlidesGlobals & DomGlobals;
  const { rampeDom: dom } = isolatedWorld;
  if (isolatedWorld.rampeSlides) return;
  const [mostBoxes, mostChanges, mostChildren, mostRecords, mostParts, loadedMs, mergedMs, longestStyle] = [200, 60, 60, 5_000, 20, 1_000, 1_000, 200];
  const changes = new Map<Element, SlideChange[]>();
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
  isolatedWorld.rampeSlides = { changes, stop };

  function stop(): void {
    styles.disconnect();
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
