import { within } from "~/platform/async/deadline";
import { capturePage, MOST_PAGE_HEIGHT } from "~/scan/page/capture-page";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Axe } from "~/scan/rules/axe-internals";
import type { KeyboardWalk, WalkStop } from "~/scan/types";
import type { WalkGlobals } from "./focus-log";

/** Maximum number of described stops. */
const MOST_STOPS = 200;
const LONGEST_NAME = 100;
const STOPS_WITHIN_MS = 1_500;
const PICTURE_WITHIN_MS = 1_500;

/** Size in CSS pixels. */
interface PageSize {
  width: number;
  height: number;
}

type Described = PageSize & Pick<KeyboardWalk, "stops" | "count">;

/**
 * Describes the elements that a walk has focused, and takes one picture of the page from its top. It scrolls to the top, so later steps
 * must not depend on the scroll position.
 * @param budgetMs time for the picture
 * @returns undefined if nothing was focused
 * @throws if the page does not answer
 */
export async function describeWalk(world: IsolatedWorld, isWhole: boolean, budgetMs: number): Promise<KeyboardWalk | undefined> {
  const { stops, count, ...size } = await within(STOPS_WITHIN_MS, world.call(describeStops, MOST_STOPS, LONGEST_NAME, MOST_PAGE_HEIGHT));
  if (count === 0) return undefined;
  // Without a picture, the list remains.
  const image = await capturePage(world, size, Math.min(PICTURE_WITHIN_MS, budgetMs));
  return { stops, count, isWhole, ...(image && { picture: { image, ...size } }) };
}

/** Runs inside the page, in an isolated world; it is sent as source text. */
function describeStops(most: number, longest: number, mostHeight: number): Described {
  const { axe, rampeWalk } = globalThis as unknown as { axe: Axe } & WalkGlobals;
  const order = rampeWalk?.order ?? [];
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  // Names and roles come from axe's tree, which exists only during its runs.
  axe.teardown();
  axe.setup(document);
  try {
    const stops = order.slice(0, most).map(describe);
    const height = Math.max(innerHeight, Math.min(mostHeight, document.documentElement.scrollHeight));
    return { stops, count: order.length, width: innerWidth, height };
  } finally {
    axe.teardown();
  }

  function describe(element: Element): WalkStop {
    return { ...namesOf(element), box: boxOf(element) };
  }

  function namesOf(element: Element): Pick<WalkStop, "name" | "role"> {
    try {
      const node = axe.utils.getNodeFromTree(element);
      if (!node) return { name: "", role: null };
      const { aria, text } = axe.commons;
      return { name: text.sanitize(text.accessibleTextVirtual(node)).slice(0, longest), role: aria.getRole(node, { noPresentational: true }) };
    } catch {
      // axe throws errors for some elements.
      return { name: "", role: null };
    }
  }

  /** Box in the page; null if the element is not drawn. */
  function boxOf(element: Element): WalkStop["box"] {
    // A form's controls may hide its methods by having the same names.
    const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
    if (width < 1 || height < 1) return null;
    return { x: Math.round(left + scrollX), y: Math.round(top + scrollY), width: Math.round(width), height: Math.round(height) };
  }
}
