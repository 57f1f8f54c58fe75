import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "./cut-connection";
import { dropFocus } from "./focus-log";
import { pressKey, type Key } from "./press-key";
import { findMissedStops, focusBeside, isReachedNow, noteSkipped } from "./skipped-stops";

/** Maximum number of controls that are tried from their neighbours. */
const MOST_MISSED = 6;

/**
 * After a walk to the end of a page: presses the Tab key once more beside the controls that it did not reach, and keeps those that are
 * skipped again (`SkippedGlobals`). Needs `expectStops` before the walk.
 * @param signal ends it
 * @returns whether all of them were tried
 */
export async function confirmSkipped(world: IsolatedWorld, connection: CutConnection, signal: AbortSignal): Promise<boolean> {
  const { kept, more } = await world.call(findMissedStops, MOST_MISSED);
  for (let index = 0; index < kept; index += 1) {
    if (signal.aborted) return false;
    const passes = [await passesBy(index, "Tab"), await passesBy(index, "Shift+Tab")];
    // One neighbour may be missing, at the start or the end of the page.
    if (passes.includes("skips") && !passes.includes("reaches")) await world.call(noteSkipped, index);
  }
  if (kept > 0) await world.call(dropFocus);
  return more === 0;

  async function passesBy(index: number, key: Extract<Key, "Tab" | "Shift+Tab">): Promise<"reaches" | "skips" | "unknown"> {
    if (!(await world.call(focusBeside, index, key === "Tab"))) return "unknown";
    await pressKey(world.session, key);
    const isReached = await world.call(isReachedNow, index);
    return connection.takeLeaving() !== undefined ? "unknown" : isReached ? "reaches" : "skips";
  }
}
