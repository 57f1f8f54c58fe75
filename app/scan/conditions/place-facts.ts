import type { DomGlobals } from "~/scan/page/dom";
import type { MeasureGlobals } from "./measures";

/* These functions run inside a page, in an isolated world, after `defineMeasures`; they are sent as source text. */

interface PlaceGlobals {
  rampePlaces?: {
    /** Places and sizes of texts and controls in the page, and boxes that can be scrolled, each as text. */
    read: () => Map<Node, string>;
    usual: Map<Node, string>;
  };
}

/** Keeps the places of texts and controls before the page is shown in other conditions. */
export function rememberPlaces(): void {
  const globals = globalThis as unknown as PlaceGlobals & MeasureGlobals & DomGlobals;
  const { rampeMeasures: measures, rampeDom: dom } = globals;
  if (!measures) throw new Error("No measures are defined.");
  globals.rampePlaces = { read, usual: read() };

  function read(): Map<Node, string> {
    const found = new Map<Node, string>();
    const add = (node: Node, place: string) => found.set(node, `${found.get(node) ?? ""} ${place}`);
    for (const { text, left, top, right, bottom } of measures?.lines() ?? []) add(text, placeOf(left, top, right, bottom));
    for (const each of [...(measures?.controls() ?? []), ...(measures?.innerControls() ?? [])]) {
      const { left, top, right, bottom } = dom.box(each);
      add(each, placeOf(left + scrollX, top + scrollY, right + scrollX, bottom + scrollY));
    }
    for (const root of dom.roots()) for (const each of root.querySelectorAll("*")) if (scrolls(each)) add(each, "scrolls");
    return found;
  }

  function placeOf(...edges: number[]): string {
    return edges.map((edge) => Math.round(edge)).join(" ");
  }

  function scrolls(box: Element): boolean {
    const { width, height, seenWidth, seenHeight } = dom.scroll(box);
    if (width <= seenWidth + 1 && height <= seenHeight + 1) return false;
    const { overflowX, overflowY } = getComputedStyle(box);
    return /auto|scroll/.test(`${overflowX} ${overflowY}`);
  }
}

/** Does the current condition change the place or size of a text or control, or what can be scrolled? */
export function hasOtherPlaces(): boolean {
  const { rampePlaces: places } = globalThis as unknown as PlaceGlobals;
  if (!places) throw new Error("No places are remembered.");
  const now = places.read();
  return now.size !== places.usual.size || [...now].some(([node, place]) => places.usual.get(node) !== place);
}
