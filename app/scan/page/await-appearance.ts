import { OutOfTime, within } from "~/platform/async/deadline";
import { mayAppearFor } from "./appearance";
import { describeDocument } from "./observe";
import type { Tab } from "./tab";
import type { IsolatedWorld } from "./isolated-world";

const LOOK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 2_500;

/**
 * Gives a document that shows nothing yet the time it may need.
 * @param mostMs upper limit for that time
 * @returns whether content has appeared
 */
export async function awaitAppearance(tab: Tab, isolatedWorld: IsolatedWorld, mostMs: number): Promise<boolean> {
  const document = tab.document();
  const moved = () => tab.document() !== document;
  try {
    const waitMs = Math.min(mostMs, await within(ANSWER_WITHIN_MS, isolatedWorld.call(mayAppearFor)));
    const end = performance.now() + waitMs;
    while (performance.now() < end) {
      if (await tab.until(moved, LOOK_EVERY_MS)) return false;
      const { perceivable } = await within(ANSWER_WITHIN_MS, isolatedWorld.call(describeDocument));
      if (perceivable) return true;
    }
  } catch (error) {
    // A page blocked by its scripts will show nothing either.
    if (!(error instanceof OutOfTime)) throw error;
  }
  return false;
}
