import { awaitAnimations } from "~/scan/interaction/await-animations";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isContentShown } from "./hover-content";

const ANIMATED_MS = 600;

export interface ContentWatch {
  /** Waits, and then until animations have ended. */
  rest(ms: number): Promise<void>;
  /** Is the appeared content gone? @param times of the looks, in ms from now */
  hasGone(times: number[]): Promise<boolean>;
}

/** Watches content that has appeared under the pointer or at the focus. @param signal ends each wait with its reason */
export function watchContent(world: IsolatedWorld, signal: AbortSignal): ContentWatch {
  return { rest, hasGone };

  async function rest(ms: number): Promise<void> {
    signal.throwIfAborted();
    await world.call(awaitAnimations, ms, ANIMATED_MS);
    signal.throwIfAborted();
  }

  async function hasGone(times: number[]): Promise<boolean> {
    let waited = 0;
    for (const ms of times) {
      await rest(ms - waited);
      waited = ms;
      if (!(await world.call(isContentShown))) return true;
    }
    return false;
  }
}
