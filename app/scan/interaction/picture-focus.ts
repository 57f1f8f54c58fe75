import type { DomGlobals } from "~/scan/page/dom";
import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Axe } from "~/scan/rules/axe-internals";
import type { FocusChange, Stop, WalkGlobals } from "./focus-log";

/** Maximum number of elements; each takes three to six pictures. */
const MOST_PICTURED = 20;
/** Maximum number of elements hidden by their place or their styles. */
const MOST_HIDDEN = 6;
const CONFIRMED_WITHIN_MS = 500;
/** Time for a transition or a script to show the focus; most need less. */
const CHANGED_WITHIN_MS = 350;
/** Time in which a page that moves looks different. */
const MOVED_WITHIN_MS = 100;

/** Elements for which there was time. */
export interface PicturedFocus {
  /** All elements whose outline is not drawn were pictured. */
  areWithoutOutline: boolean;
  /** All elements were pictured. */
  areAll: boolean;
  /** All pictures could be compared. */
  areKnown: boolean;
}

/**
 * Compares pictures of the page with and without the focus, for elements of a walk whose outline is not drawn, and keeps the result
 * (`Stop.looksDifferent`, `Stop.change`). In the pictures without it, the focus is nowhere, then on another element: a script may leave
 * a mark on the last element. Moving pages are not compared. Invisible elements are left to `pictureHiddenFocus`. One element of each kind
 * comes first.
 * @param signal ends it after the current element
 * @param options.alsoOutlined also compares elements with an outline of the page's own, after the others
 * @param options.outer world of the page around an inner frame, which may have no second element for the focus
 */
export async function pictureFocus(world: IsolatedWorld, signal: AbortSignal, { alsoOutlined = false, outer }: { alsoOutlined?: boolean; outer?: IsolatedWorld } = {}): Promise<PicturedFocus> {
  await world.call(confirmHidden, CONFIRMED_WITHIN_MS);
  const { without, outlined } = await world.call(elementsToCompare, alsoOutlined);
  const stops = [...without, ...outlined];
  const still = new Set<string>();
  let [pictured, unknown] = [0, 0];
  for (const index of stops.slice(0, MOST_PICTURED)) {
    if (signal.aborted) break;
    const looksDifferent = await compare(index);
    if (looksDifferent === undefined) unknown += 1;
    else await world.call(notePictures, index, { looksDifferent });
    pictured += 1;
  }
  return { areWithoutOutline: pictured >= without.length, areAll: pictured === stops.length, areKnown: unknown === 0 };

  /** @returns undefined if unknown */
  async function compare(index: number): Promise<boolean | undefined> {
    if (!(await isAtRest(() => world.call(showWithoutFocus, index)))) return undefined;
    const without = await stillPicture(world, still);
    if (without === undefined) return undefined;
    const near = await world.call(surroundings, index);
    const nearWithout = await picture(world, near);
    if (!(await world.call(giveFocus, index))) return undefined;
    if (await changes(world, without)) {
      if (await world.call(isMoving, index)) await pause(CHANGED_WITHIN_MS);
      if (!(await world.call(isMoving, index))) await world.call(noteChange, index, near, nearWithout, await picture(world, near));
      return true;
    }
    if (await world.call(keepsOutline, index)) return false;
    if (!(await world.call(focusElsewhere, index)) && !(await outer?.call(focusOutside, near))) return undefined;
    const elsewhere = await picture(world, near);
    return (await world.call(giveFocus, index)) ? changes(world, elsewhere, near) : undefined;
  }
}

/**
 * Compares pictures of the window with and without the focus, for focused elements of a walk that are invisible, and keeps the
 * result (`Stop.isUnseen`). Comes after `pictureFocus`, which confirms that they are hidden.
 * @param signal ends it after the current element
 * @param hasLostStyles a style sheet could not be reached, which may show the element or its focus: then an unseen one is left out
 * @param isFrame the document is an inner frame, of which the window may not show all
 * @returns whether the result is known for all of them
 */
export async function pictureHiddenFocus(world: IsolatedWorld, signal: AbortSignal, hasLostStyles = false, isFrame = false): Promise<boolean> {
  const stops = await world.call(hiddenStops);
  const still = new Set<string>();
  let isKnown = stops.length <= MOST_HIDDEN;
  for (const index of stops.slice(0, MOST_HIDDEN)) {
    if (signal.aborted) return false;
    const isUnseen = await looksTheSame(index);
    if (isUnseen && hasLostStyles) isKnown = false;
    else if (isUnseen !== undefined) await world.call(notePictures, index, { isUnseen });
    else if (isFrame) isKnown = false;
  }
  return isKnown;

  /** @returns undefined if unknown */
  async function looksTheSame(index: number): Promise<boolean | undefined> {
    if (!(await isAtRest(() => world.call(showPlace, index)))) return undefined;
    const without = await stillPicture(world, still);
    if (without === undefined || !(await world.call(giveFocus, index, true))) return undefined;
    // Few differ at once.
    await pause(CHANGED_WITHIN_MS);
    return (await picture(world)) === without;
  }
}

/** Is the unfocused element at rest? The look of the focus may fade out slowly. @param show shows an element without the focus */
async function isAtRest(show: () => Promise<Rest>): Promise<boolean> {
  const rest = await show();
  if (rest !== "soon") return rest === "now";
  await pause(CHANGED_WITHIN_MS);
  return (await show()) === "now";
}

/**
 * Takes a picture of the window.
 * @param still pictures of a page without movement, to which this one is added
 * @returns undefined if the page moves
 */
async function stillPicture(world: IsolatedWorld, still: Set<string>): Promise<string | undefined> {
  const first = await picture(world);
  if (still.has(first)) return first;
  await pause(MOVED_WITHIN_MS);
  if ((await picture(world)) !== first) return undefined;
  still.add(first);
  return first;
}

async function changes(world: IsolatedWorld, before: string, clip?: Box): Promise<boolean> {
  if ((await picture(world, clip)) !== before) return true;
  await pause(CHANGED_WITHIN_MS);
  return (await picture(world, clip)) !== before;
}

/** @param clip box in the page; without it, a JPEG of the window, for comparison only: it takes half of the time of PNG */
async function picture(world: IsolatedWorld, clip?: Box): Promise<string> {
  const options = clip ? { format: "png" as const, optimizeForSpeed: true, clip: { ...clip, scale: 1 } } : { format: "jpeg" as const, quality: 100 };
  return (await world.session.send("Page.captureScreenshot", options)).data;
}

/** Time of the comparison: `soon` after a short animation; `never` with an endless animation, or if the element is invisible. */
type Rest = "now" | "soon" | "never";

/** Box in CSS pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The following functions run inside a page. Fields with a cursor and lists are excluded: they show their focus in another way. */
function elementsToCompare(alsoOutlined: boolean): { without: number[]; outlined: number[] } {
  const others = "textarea, select, input:not([type=checkbox], [type=radio], [type=submit], [type=button], [type=reset], [type=image]), audio, video";
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const stops = walk ? [...walk.stops] : [];
  const shown = stops.filter(([element, stop]) => !stop.loses && !stop.hiding && !dom.matches(element, others) && !(element as HTMLElement).isContentEditable);
  const [without, outlined] = [shown.filter(([, stop]) => !stop.isOutlined), shown.filter(([, stop]) => alsoOutlined && stop.hasOwnOutline)];
  return { without: kindsFirst(without), outlined: kindsFirst(outlined) };

  /** Indexes of elements, one of each kind before the others: there is seldom time for all. */
  function kindsFirst(elements: typeof stops): number[] {
    const known = new Set<string>();
    const firsts = elements.filter(([element, { look }]) => known.size < known.add(`${dom.kindOf(element)} ${look}`).size);
    return [...new Set([...firsts, ...elements].map(([, { position }]) => position - 1))];
  }
}

/** Confirms hidden elements after slow scrolling to the focus: they must be hidden at rest as well, if there is time to test this. */
function confirmHidden(withinMs: number): void {
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const end = performance.now() + withinMs;
  for (const [element, stop] of walk?.stops ?? []) {
    if (!stop.hiding) continue;
    const isInTime = performance.now() < end;
    if (isInTime) Element.prototype.scrollIntoView.call(element, { block: "center", inline: "nearest", behavior: "instant" });
    if (isInTime) dom.focus(element, { preventScroll: true });
    if (!isInTime || !walk?.hidingOf(element)) delete stop.hiding;
  }
}

/** @returns indexes of invisible elements, one of each kind before the others */
function hiddenStops(): number[] {
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const hidden = [...(walk?.stops ?? [])].filter(([, { hiding, loses }]) => hiding && !loses);
  const known = new Set<string>();
  const firsts = hidden.filter(([element, { hiding }]) => known.size < known.add(`${dom.kindOf(element)} ${hiding}`).size);
  return [...new Set([...firsts, ...hidden].map(([, { position }]) => position - 1))];
}

/** Removes the focus, and scrolls to an element, or to its label. @returns time at which it has no focus, and nothing is animated */
function showPlace(index: number): Rest {
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const element = walk?.order[index] as HTMLElement | undefined;
  if (!element?.isConnected) return "never";
  (document.activeElement as HTMLElement | null)?.blur();
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
  Element.prototype.scrollIntoView.call(label ?? element, { block: "center", inline: "nearest", behavior: "instant" });
  const frame = walk?.frame;
  frame?.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  // Something may change in a part of the frame that the window does not show.
  const { left, top, right, bottom } = frame?.getBoundingClientRect() ?? new DOMRect();
  const isFrameShown = walk !== undefined && left >= 0 && top >= 0 && right <= walk.window.innerWidth && bottom <= walk.window.innerHeight;
  if (!isFrameShown || dom.matches(element, ":focus")) return "never";
  const running = document.getAnimations().filter(({ playState }) => playState === "running");
  return running.length === 0 ? "now" : running.every(({ effect }) => effect?.getComputedTiming().endTime !== Infinity) ? "soon" : "never";
}

/** @returns time at which it is drawn in the window, has no focus, and nothing is animated there */
function showWithoutFocus(index: number): Rest {
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const element = walk?.order[index] as HTMLElement | undefined;
  if (!element?.isConnected) return "never";
  (document.activeElement as HTMLElement | null)?.blur();
  Element.prototype.scrollIntoView.call(element, { block: "center", inline: "nearest", behavior: "instant" });
  const place = walk?.boxInWindow(element);
  if (!walk || !place) return "never";
  const { left, top, right, bottom } = place;
  const isInWindow = left >= 0 && top >= 0 && right <= walk.window.innerWidth && bottom <= walk.window.innerHeight && right > left && bottom > top;
  if (!isInWindow || dom.matches(element, ":focus")) return "never";
  const seen = document.getAnimations().filter(isSeen);
  return seen.length === 0 ? "now" : seen.every(({ effect }) => effect?.getComputedTiming().endTime !== Infinity) ? "soon" : "never";

  function isSeen({ playState, effect }: Animation): boolean {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    const box = target ? dom.box(target) : undefined;
    return playState === "running" && box !== undefined && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  }
}

/** @param scrolls also scrolls to it, as a key does @returns whether it has the focus, with the look of keyboard focus */
function giveFocus(index: number, scrolls = false): boolean {
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const element = walk?.order[index];
  if (element) dom.focus(element, { preventScroll: !scrolls });
  return element ? dom.matches(element, ":focus-visible") : false;
}

/** Box of an element, with a margin in which its focus may be marked. */
function surroundings(index: number): Box {
  const margin = 20;
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const element = walk?.order[index] as Element;
  const { left, top, right, bottom } = walk?.boxInWindow(element) ?? dom.box(element);
  const { innerWidth: width, innerHeight: height, scrollX: across, scrollY: down } = walk?.window ?? window;
  const [x, y] = [Math.max(0, Math.floor(left) - margin), Math.max(0, Math.floor(top) - margin)];
  return { x: x + across, y: y + down, width: Math.min(width, Math.ceil(right) + margin) - x, height: Math.min(height, Math.ceil(bottom) + margin) - y };
}

/** Is the element in a transition between two looks? */
function isMoving(index: number): boolean {
  const element = (globalThis as WalkGlobals).rampeWalk?.order[index];
  return element ? Element.prototype.getAnimations.call(element, { subtree: true }).some(({ playState }) => playState === "running") : false;
}

/** Compares two pictures of an element, PNG as base64, and keeps how they differ. @param near box of the pictures */
async function noteChange(index: number, near: Box, without: string, withFocus: string): Promise<void> {
  const { axe, rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals & { axe: Axe };
  const element = walk?.order[index] as Element;
  const stop = walk?.stops.get(element);
  const { Color } = axe.commons.color;
  const luminances = new Map<number, number>();
  const [one, other] = (await Promise.all([without, withFocus].map(pixelsOf))) as [Uint8ClampedArray, Uint8ClampedArray];
  const change: FocusChange = { contrast: 1, share: 0, isAround: false, clearArea: 0 };
  const { left, top, width, height } = walk?.boxInWindow(element) ?? dom.box(element);
  const [x, y] = [left + (walk?.window.scrollX ?? 0) - near.x, top + (walk?.window.scrollY ?? 0) - near.y];
  const leastContrast = 3;
  let changed = 0;
  for (let at = 0; at < Math.min(one.length, other.length); at += 4) {
    const [before, after] = [colorAt(one, at), colorAt(other, at)];
    if (before === after) continue;
    const [across, down] = [(at / 4) % near.width, Math.floor(at / 4 / near.width)];
    const isInside = across >= x - 1 && across <= x + width && down >= y - 1 && down <= y + height;
    changed += isInside ? 1 : 0;
    change.isAround ||= !isInside;
    const [low = 0, high = 0] = [luminance(before), luminance(after)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    change.contrast = Math.max(change.contrast, contrast);
    change.clearArea += contrast >= leastContrast ? 1 : 0;
  }
  change.share = changed / (width * height);
  if (stop && (changed > 0 || change.isAround)) stop.change = change;

  async function pixelsOf(picture: string): Promise<Uint8ClampedArray> {
    const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  }

  function colorAt(pixels: Uint8ClampedArray, at: number): number {
    return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
  }

  function luminance(color: number): number {
    const value = luminances.get(color) ?? new Color(color >> 16, (color >> 8) & 255, color & 255).getRelativeLuminance();
    luminances.set(color, value);
    return value;
  }
}

/** Does the outline stay without the focus, according to the walk? Marks that scripts remove at the next focus do not count. */
function keepsOutline(index: number): boolean {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  return walk?.stops.get(walk.order[index] as Element)?.keepsOutline ?? false;
}

/** Focuses another element, far enough from this one. @returns whether there is one that takes the focus */
function focusElsewhere(index: number): boolean {
  const margin = 20;
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const order = walk?.order ?? [];
  const element = order[index] as Element;
  const { left, top, right, bottom } = dom.box(element);
  const other = order.find((each) => {
    const box = dom.box(each);
    const isFar = box.right < left - 2 * margin || box.left > right + 2 * margin || box.bottom < top - 2 * margin || box.top > bottom + 2 * margin;
    return isFar && each.isConnected && !dom.contains(each, element) && !dom.contains(element, each);
  });
  if (other) dom.focus(other, { preventScroll: true });
  return other ? dom.matches(other, ":focus") : false;
}

/** Focuses an element of the page far enough from a box. @returns whether there is one that takes the focus */
function focusOutside(near: Box): boolean {
  const margin = 20;
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  const other = walk?.order.find((each) => {
    const box = dom.box(each);
    const [x, y] = [box.left + scrollX, box.top + scrollY];
    return each.isConnected && (x + box.width < near.x - margin || x > near.x + near.width + margin || y + box.height < near.y - margin || y > near.y + near.height + margin);
  });
  if (other) dom.focus(other, { preventScroll: true });
  return other ? dom.matches(other, ":focus") : false;
}

function notePictures(index: number, seen: Pick<Stop, "looksDifferent"> | Pick<Stop, "isUnseen">): void {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  const stop = walk?.stops.get(walk.order[index] as Element);
  if (stop) Object.assign(stop, seen);
}
