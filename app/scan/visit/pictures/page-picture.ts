import { within } from "~/platform/async/deadline";
import { capturePage, MOST_PAGE_HEIGHT } from "~/scan/page/capture-page";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { AnalyserGlobals } from "~/scan/rules/analyser";
import type { Box, CheckedPage, FindingResult } from "~/scan/types";

/** Maximum number of marked places of a rule. */
const PER_RULE = 3;
const MEASURE_WITHIN_MS = 1_000;

interface Measured {
  width: number;
  height: number;
  /** Boxes by rule and place. */
  boxes: (Box | null)[][];
}

/**
 * Takes a picture of the page from its top, and records the first places of each violation in it. It scrolls to the top, so later steps
 * must not depend on the scroll position. Never fails.
 * @param world isolated world of the analysis
 * @param violations violations of the analysis, in its order; their elements get a `box`
 */
export async function picturePage(world: IsolatedWorld, violations: FindingResult[], budgetMs: number): Promise<CheckedPage["picture"]> {
  try {
    const { boxes, width, height } = await within(Math.min(MEASURE_WITHIN_MS, budgetMs), world.call(measurePlaces, PER_RULE, MOST_PAGE_HEIGHT));
    const image = await capturePage(world, { width, height }, budgetMs);
    if (!image) return undefined;
    for (const [rule, { elements }] of violations.entries()) {
      for (const [position, box] of (boxes[rule] ?? []).entries()) {
        const element = elements[position];
        if (element && box) element.box = box;
      }
    }
    return { image, width, height };
  } catch {
    // The page went away or hangs: its other results stay.
    return undefined;
  }
}

/** Runs inside the page, in an isolated world; it is sent as source text. */
function measurePlaces(perRule: number, mostHeight: number): Measured {
  const { analyser } = globalThis as unknown as AnalyserGlobals;
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  const height = Math.max(innerHeight, Math.min(mostHeight, document.documentElement.scrollHeight));
  const boxes = analyser.shown.map((places) => places.slice(0, perRule).map((mark) => boxOf(mark === undefined ? undefined : analyser.marked[mark])));
  return { width: innerWidth, height, boxes };

  /** Box of an element; null if it is not visible in the picture, or is the whole page. */
  function boxOf(element: Element | undefined): Box | null {
    if (!element || element === document.documentElement || element === document.body) return null;
    if (!Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true })) return null;
    // A form's controls may hide its methods by having the same names.
    const { left, top, width, height: tall } = Element.prototype.getBoundingClientRect.call(element);
    const [x, y] = [Math.round(left + scrollX), Math.round(top + scrollY)];
    if (width < 1 || tall < 1 || y >= height || x >= innerWidth) return null;
    return { x, y, width: Math.round(width), height: Math.round(tall) };
  }
}
