import type { DomGlobals } from "~/scan/page/dom";
import type { MeasureGlobals } from "./measures";

export interface FixedBarsGlobals {
  /** Bars that do not scroll with the page, each with the share of the window's height that all of them take, in percent. */
  rampeFixedBars?: Map<Element, number>;
}

/**
 * Keeps the opaque bars at the top and bottom of the window that leave little space between them, except bars that can be closed.
 * Runs inside a page, in an isolated world, after `defineMeasures`; sent as source text.
 * @param leastPercent minimum share of the window's height
 */
export function noteFixedBars(leastPercent: number): void {
  const { rampeDom: dom, rampeMeasures: measures } = globalThis as unknown as DomGlobals & MeasureGlobals;
  if (!measures) throw new Error("No measures are defined.");
  const root = document.scrollingElement ?? document.documentElement;
  const found = new Map<Element, number>();
  (globalThis as FixedBarsGlobals).rampeFixedBars = found;
  const middle = (root.scrollHeight - innerHeight) / 2;
  if (middle <= 0) return;
  // Some bars stick to the edge only after scrolling.
  scrollTo({ top: middle, left: 0, behavior: "instant" });
  const atEdges = new Set([4, innerHeight - 4].flatMap((y) => [0.2, 0.5, 0.8].flatMap((part) => barAt(innerWidth * part, y) ?? [])));
  const places = new Map([...atEdges].map((bar) => [bar, dom.box(bar).top]));
  // Elements as high as the window, and elements that scroll with the page, are no bars.
  scrollTo({ top: middle + 50, left: 0, behavior: "instant" });
  const bars = [...atEdges].filter((bar) => Math.abs(dom.box(bar).top - (places.get(bar) ?? 0)) < 2 && dom.box(bar).height < innerHeight - 1);
  const height = bars.reduce((sum, bar) => sum + heightOf(bar), 0);
  const percent = Math.round((Math.min(height, innerHeight) / innerHeight) * 100);
  if (percent >= leastPercent) for (const bar of bars) found.set(bar, percent);
  scrollTo({ top: 0, left: 0, behavior: "instant" });

  /** Outermost bar at a point of the window, as wide as the window. */
  function barAt(x: number, y: number): Element | undefined {
    let bar: Element | undefined;
    let [isOpaque, hasOpaqueBar] = [false, false];
    for (let at = document.elementFromPoint(x, y); at; at = dom.composedParent(at)) {
      const { position, backgroundColor, backgroundImage } = getComputedStyle(at);
      isOpaque ||= /^rgb\(/.test(backgroundColor) || backgroundImage !== "none";
      if (/^(fixed|sticky)$/.test(position)) [bar, hasOpaqueBar] = [at, isOpaque];
    }
    const wide = 0.8;
    const isBar = bar && bar !== document.body && hasOpaqueBar && dom.box(bar).width >= innerWidth * wide;
    return isBar && bar && !measures?.canBeClosed(bar) ? bar : undefined;
  }

  function heightOf(bar: Element): number {
    const { top, bottom } = dom.box(bar);
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  }

}

export function hasFixedBars(): boolean {
  return ((globalThis as FixedBarsGlobals).rampeFixedBars?.size ?? 0) > 0;
}
