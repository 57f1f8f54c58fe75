/* This function runs inside a page, in an isolated world; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { Box, Line } from "./measures";

interface PlacedElement extends Box {
  element: Element;
}

/** Elements that lie over or under texts, by the element with the text; undefined on a page with too many elements at one height. */
export type Meetings = Map<Element, Set<Element>> | undefined;

export interface MeetingGlobals {
  rampeMeet?: (lines: Line[]) => Meetings;
}

export function defineMeetings(): void {
  const [mostComparisons, mostMeetings] = [1_000_000, 100_000];
  /** Sides of an element that can hide a letter, in CSS pixels. */
  const leastSide = 8;
  const globals = globalThis as unknown as MeetingGlobals & DomGlobals;
  const { rampeDom: dom } = globals;
  globals.rampeMeet = meet;

  function meet(lines: Line[]): Meetings {
    const found = new Map<Element, Set<Element>>();
    const boxes = boxesInPage();
    let [next, comparisons, meetings, open] = [0, 0, 0, [] as PlacedElement[]];
    for (const line of [...lines].sort((a, b) => a.top - b.top)) {
      for (let box = boxes[next]; box && box.top < line.bottom; box = boxes[next]) {
        open.push(box);
        next += 1;
      }
      open = open.filter(({ bottom }) => bottom > line.top);
      comparisons += open.length;
      if (comparisons > mostComparisons) return undefined;
      const met = found.get(line.holder) ?? new Set();
      for (const box of open) {
        if (met.has(box.element) || !liesAcross(box, line) || dom.holds(box.element, line.holder) || dom.holds(line.holder, box.element)) continue;
        met.add(box.element);
        meetings += 1;
        if (meetings > mostMeetings) return undefined;
      }
      if (met.size > 0) found.set(line.holder, met);
    }
    return found;
  }

  function liesAcross(box: Box, line: Line): boolean {
    const across = Math.min(box.right, line.right) - Math.max(box.left, line.left);
    const down = Math.min(box.bottom, line.bottom) - Math.max(box.top, line.top);
    return Math.min(across, down) >= (line.bottom - line.top) / 2;
  }

  /** Boxes of all elements that may cover text, the uppermost first. */
  function boxesInPage(): PlacedElement[] {
    const found: PlacedElement[] = [];
    for (const root of dom.roots()) {
      for (const element of root.querySelectorAll(root === document ? "body *" : "*")) {
        // Shapes belong to their drawing.
        if (element instanceof SVGElement && dom.localName(element) !== "svg") continue;
        const { left, top, right, bottom, width, height } = dom.box(element);
        if (Math.min(width, height) < leastSide) continue;
        found.push({ element, left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
      }
    }
    return found.sort((a, b) => a.top - b.top);
  }
}
