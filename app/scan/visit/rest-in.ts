import { awaitColors } from "~/scan/conditions/color-facts";
import { sizeIn, type Appearance } from "~/scan/conditions/condition";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { PausingGlobals } from "~/scan/page/pause";
import { settle } from "~/scan/page/settle";
import type { Tab } from "~/scan/page/tab";

const SETTLE_MS = 1_000;
/** Wait for styles, which apply at once, where no script is told of the condition. */
const STYLED_WITHIN_MS = 25;
/** Wait for scripts that are told of the condition; those told of a new size often react only after the window has stopped changing. */
const REACTED_WITHIN_MS = {
  "text-spacing": STYLED_WITHIN_MS,
  "reduced-motion": 50,
  dark: 50,
  "forced-colors": 50,
  "zoom-200": 250,
  "text-200": 250,
  phone: 400,
  portrait: 400,
  landscape: 400,
};
/** Wait for the new size: a busy browser informs the page of it later than us. */
const SIZED_WITHIN_MS = 1_000;
/** Wait for transitions of colours, which usually take half a second at most. */
export const COLORS_WITHIN_MS = 1_500;

/** Maximum time for a page to come to rest after a change of its size, in ms. */
export const RESTS_WITHIN_MS = SETTLE_MS + SIZED_WITHIN_MS;

/** Conditions of which only scripts that listen to the window's size are told. */
const isOfSize = (condition: Appearance): boolean => condition === "zoom-200" || condition === "text-200" || condition === "phone";

/**
 * Waits until a page has come to rest in a condition.
 * @param isListening scripts of the page listen to the size of its window
 * @param size of the window; the usual one after the condition has ended
 * @returns false if the window does not get the size, or the colours keep changing
 */
export async function restIn(condition: Appearance, tab: Tab, world: IsolatedWorld, isListening: boolean, size = sizeIn(condition)): Promise<boolean> {
  if (!(await world.call(awaitSize, size.width, size.deviceScaleFactor, SIZED_WITHIN_MS, condition === "text-200"))) return false;
  await world.call(pauseInPage, isListening || !isOfSize(condition) ? REACTED_WITHIN_MS[condition] : STYLED_WITHIN_MS);
  await settle(tab, world, SETTLE_MS);
  return !/^(dark|forced-colors)$/.test(condition) || world.call(awaitColors, COLORS_WITHIN_MS);
}

/** The following functions run inside the page. */
async function pauseInPage(ms: number): Promise<void> {
  await (globalThis as unknown as PausingGlobals).pause(ms);
}

/** @returns false if the window does not get the size in time; a mobile device widens it for content that is too wide */
async function awaitSize(width: number, pixelRatio: number, mostMs: number, isMobile: boolean): Promise<boolean> {
  const end = performance.now() + mostMs;
  const isSized = () => (isMobile ? innerWidth >= width : innerWidth === width) && devicePixelRatio === pixelRatio;
  while (!isSized() && performance.now() < end) await (globalThis as unknown as PausingGlobals).pause(20);
  return isSized();
}
