import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { pressKey, type Key } from "~/scan/interaction/press-key";
import { focusSkipLink, noteSkipLink, noteNext } from "./skip-links";

/** Waits for the focus. The longer one is for confirmation: scripts that scroll smoothly often move the focus afterwards. */
const FOLLOWED_WITHIN_MS = 100;
const FOLLOWED_LATE_WITHIN_MS = 1_500;

/**
 * Activates links within the page by Enter, and keeps in its world where the next Tab key leads (`SkipLinkTrial`).
 * @param count of the links that were found in the page (`findSkipLinks`)
 * @param signal ends it at once
 * @returns number of links that could not be used
 */
export async function trySkipLinks(world: IsolatedWorld, count: number, signal: AbortSignal): Promise<number> {
  let unused = 0;
  for (let index = 0; index < count; index += 1) {
    if (!(await world.call(focusSkipLink, index))) {
      unused += 1;
      continue;
    }
    await press("Tab");
    if (!(await world.call(noteNext, index))) continue;
    for (const ms of [FOLLOWED_WITHIN_MS, FOLLOWED_LATE_WITHIN_MS]) {
      if (!(await world.call(focusSkipLink, index))) break;
      await press("Enter");
      await pause(ms);
      await press("Tab");
      if (await world.call(noteSkipLink, index, ms === FOLLOWED_LATE_WITHIN_MS)) break;
    }
  }
  await world.call(() => scrollTo({ top: 0, behavior: "instant" }));
  return unused;

  async function press(key: Key): Promise<void> {
    signal.throwIfAborted();
    await pressKey(world.session, key);
  }
}
