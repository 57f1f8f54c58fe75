import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { WalkGlobals } from "./focus-log";

/** Each takes three or four pictures of the window. */
const MOST_PICTURED = 20;
/** Time for a transition to begin; most end within it. */
const CHANGED_WITHIN_MS = 350;
/** Time in which a page that moves looks different. */
const MOVED_WITHIN_MS = 100;

/**
 * Compares pictures of the page with and without the focus, for elements of a walk whose outline is not drawn, and keeps the result
 * (`Stop.looksDifferent`). Without it the focus is nowhere, and then on another element: a script may leave a mark where it was last.
 * Pages that move by themselves are not compared.
 * @param signal ends it after the current element
 */
export async function pictureFocus(world: IsolatedWorld, signal: AbortSignal): Promise<void> {
  for (const index of await world.call(elementsWithoutOutline, MOST_PICTURED)) {
    if (signal.aborted) return;
    const looksDifferent = await compare(index);
    if (looksDifferent !== undefined) await world.call(noteLook, index, looksDifferent);
  }

  /** @returns undefined if it cannot be told */
  async function compare(index: number): Promise<boolean | undefined> {
    if (!(await world.call(showWithoutFocus, index))) return undefined;
    const without = await picture();
    await pause(MOVED_WITHIN_MS);
    if ((await picture()) !== without || !(await world.call(giveFocus, index))) return undefined;
    if (await changes(without)) return true;
    const around = await world.call(focusElsewhere, index);
    if (!around) return undefined;
    const elsewhere = await picture(around);
    return (await world.call(giveFocus, index)) ? changes(elsewhere, around) : undefined;
  }

  async function changes(before: string, clip?: Box): Promise<boolean> {
    if ((await picture(clip)) !== before) return true;
    await pause(CHANGED_WITHIN_MS);
    return (await picture(clip)) !== before;
  }

  /** @param clip in the page; the window without it */
  async function picture(clip?: Box): Promise<string> {
    return (await world.session.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true, ...(clip && { clip: { ...clip, scale: 1 } }) })).data;
  }
}

/** In CSS pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The following functions run inside a page. Fields with a cursor and lists show their focus in another way. */
function elementsWithoutOutline(most: number): number[] {
  const others = "textarea, select, input:not([type=checkbox], [type=radio], [type=submit], [type=button], [type=reset], [type=image]), audio, video";
  const walk = (globalThis as WalkGlobals).rampeWalk;
  const stops = walk ? [...walk.stops] : [];
  const without = stops.filter(([element, stop]) => !stop.isOutlined && !stop.loses && !element.matches(others) && !(element as HTMLElement).isContentEditable);
  return without.map(([, { position }]) => position - 1).slice(0, most);
}

/** @returns whether it is drawn in the window, has no focus, and nothing is animated there */
function showWithoutFocus(index: number): boolean {
  const element = (globalThis as WalkGlobals).rampeWalk?.order[index] as HTMLElement | undefined;
  if (!element?.isConnected) return false;
  (document.activeElement as HTMLElement | null)?.blur();
  element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const isInWindow = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right > left && bottom > top;
  return isInWindow && !element.matches(":focus") && !document.getAnimations().some(isSeen);

  function isSeen({ playState, effect }: Animation): boolean {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    const box = target?.getBoundingClientRect();
    return playState === "running" && box !== undefined && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  }
}

/** @returns whether it has the focus, as if a key had brought it */
function giveFocus(index: number): boolean {
  const element = (globalThis as WalkGlobals).rampeWalk?.order[index] as HTMLElement | undefined;
  element?.focus({ preventScroll: true });
  return element?.matches(":focus-visible") ?? false;
}

/** Gives the focus to another element, far enough from this one. @returns the surroundings of this one; undefined if there is no other */
function focusElsewhere(index: number): Box | undefined {
  const margin = 20;
  const { order = [] } = (globalThis as WalkGlobals).rampeWalk ?? {};
  const element = order[index] as HTMLElement;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const other = order.find((each) => {
    const box = each.getBoundingClientRect();
    const isFar = box.right < left - 2 * margin || box.left > right + 2 * margin || box.bottom < top - 2 * margin || box.top > bottom + 2 * margin;
    return isFar && each.isConnected && !each.contains(element) && !element.contains(each);
  });
  (other as HTMLElement | undefined)?.focus({ preventScroll: true });
  if (!other?.matches(":focus")) return undefined;
  const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  return { x: x + scrollX, y: y + scrollY, width: Math.min(innerWidth, right + margin) - x, height: Math.min(innerHeight, bottom + margin) - y };
}

function noteLook(index: number, looksDifferent: boolean): void {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  const stop = walk?.stops.get(walk.order[index] as Element);
  if (stop) stop.looksDifferent = looksDifferent;
}
