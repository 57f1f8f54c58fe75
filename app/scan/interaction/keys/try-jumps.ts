import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { pressKey, type Key } from "~/scan/interaction/press-key";
import { focusJump, noteJump, noteNext } from "./jumps";

/** Scripts that scroll smoothly often move the focus afterwards: before a page is blamed, it gets the longer time. */
const JUMPED_WITHIN_MS = 100;
const JUMPED_LATE_WITHIN_MS = 1_500;

/**
 * Activates links within the page by Enter, and keeps in its world where the next Tab key leads (`JumpTrial`).
 * @param count of the links that were found in the page (`findJumps`)
 * @param signal ends it at once
 */
export async function tryJumps(world: IsolatedWorld, count: number, signal: AbortSignal): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    if (!(await world.call(focusJump, index))) continue;
    await press("Tab");
    if (!(await world.call(noteNext, index))) continue;
    for (const ms of [JUMPED_WITHIN_MS, JUMPED_LATE_WITHIN_MS]) {
      if (!(await world.call(focusJump, index))) break;
      await press("Enter");
      await pause(ms);
      await press("Tab");
      if (await world.call(noteJump, index, ms === JUMPED_LATE_WITHIN_MS)) break;
    }
  }
  await world.call(() => scrollTo({ top: 0, behavior: "instant" }));

  async function press(key: Key): Promise<void> {
    signal.throwIfAborted();
    await pressKey(world.session, key);
  }
}
