import type { DomGlobals } from "~/scan/page/dom";
import type { MeasureGlobals } from "./measures";

/* These functions run inside a page, in an isolated world, after `defineMeasures`; they are sent as source text. */

interface PlaceGlobals {
  rampePlaces?: {
    /** Size of each drawn control with its distance from the one before, and boxes that can be scrolled, each as text. */
    read: () => Map<Element, string>;
    usual: Map<Element, string>;
  };
}

/** Keeps sizes and places of controls before the page is shown in other conditions. */
export function rememberPlaces(): void {
  const globals = globalThis as unknown as PlaceGlobals & MeasureGlobals & DomGlobals;
  const { rampeMeasures: measures, rampeDom: dom } = globals;
  if (!measures) throw new Error("No measures are defined.");
  globals.rampePlaces = { read, usual: read() };

  function read(): Map<Element, string> {
    const found = new Map<Element, string>();
    let [x, y] = [0, 0];
    for (const each of [...(measures?.controls() ?? []), ...(measures?.innerControls() ?? [])]) {
      const { left, top, width, height } = dom.box(each);
      found.set(each, [width, height, left - x, top - y].map((value) => Math.round(value)).join(" "));
      [x, y] = [left, top];
    }
    for (const each of document.body.querySelectorAll("*")) if (scrolls(each)) found.set(each, `${found.get(each) ?? ""} scrolls`);
    return found;
  }

  function scrolls(box: Element): boolean {
    if (box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1) return false;
    const { overflowX, overflowY } = getComputedStyle(box);
    return /auto|scroll/.test(`${overflowX} ${overflowY}`);
  }
}

/** Does the current condition change the size of a control, its distance to others, or what can be scrolled? */
export function hasOtherPlaces(): boolean {
  const { rampePlaces: places } = globalThis as unknown as PlaceGlobals;
  const now = places?.read() ?? new Map<Element, string>();
  return now.size !== places?.usual.size || [...now].some(([element, place]) => places.usual.get(element) !== place);
}
