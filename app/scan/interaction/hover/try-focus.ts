import type { CutConnection } from "~/scan/interaction/cut-connection";
import { pressKey } from "~/scan/interaction/press-key";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { watchContent } from "./content-watch";
import { useTriggers } from "./find-triggers";
import { describeContent, dropFocus, focusTrigger, hasFocus, noteContent, noteFocusContent, readyTrigger } from "./hover-content";
import type { FocusTrial } from "./hover-log";
import type { HoverOptions } from "./try-hover";

/** Times of the looks at the page, after the focus has come or gone, or after Escape. */
const SHOWN_MS = [60, 300];
const GONE_MS = [80, 300, 800];
const CLOSED_MS = [80, 300];

/**
 * Focuses elements, and keeps in the page's world whether Escape closes the content that appears then (`FocusTrial`). The page must be cut
 * off from the network.
 * @param count of the elements that were found in the page (`findTriggers`)
 * @returns number of skipped elements
 */
export async function tryFocus(world: IsolatedWorld, connection: CutConnection, count: number, { budgetMs, signal }: HoverOptions): Promise<number> {
  const { session } = world;
  const { rest, hasGone } = watchContent(world, signal);
  const end = performance.now() + budgetMs;
  await world.call(useTriggers, "focus");
  for (let index = 0; index < count; index += 1) {
    if (performance.now() > end) return count - index;
    await world.call(dropFocus);
    const trial = (await world.call(readyTrigger, index)) && (await tryTrigger(index));
    if (trial) await world.call(noteFocusContent, index, trial);
  }
  await world.call(dropFocus);
  return 0;

  /** @returns undefined if nothing appears, or if the focus may not be the reason */
  async function tryTrigger(index: number): Promise<FocusTrial | undefined> {
    const requests = connection.requests();
    const appeared = await focus(index);
    // New content after a request may be its error message: the connection is cut.
    if (!appeared || (connection.requests() > requests && !appeared.wasPresent)) return undefined;
    const content = await world.call(describeContent, index, appeared.point);
    if (!content) return undefined;
    if (content.covers === undefined || content.isError || (await isClosedByEscape())) return {};
    // Confirmation: the content must disappear with the focus, and stay after Escape once more.
    if (!(await world.call(hasFocus, index))) return undefined;
    await world.call(dropFocus);
    if (!(await hasGone(GONE_MS)) || !(await focus(index))) return undefined;
    if (await isClosedByEscape()) return {};
    return (await world.call(hasFocus, index)) ? { covers: content.covers } : undefined;
  }

  async function focus(index: number): Promise<{ wasPresent: boolean; point: { x: number; y: number } } | undefined> {
    const trigger = await world.call(readyTrigger, index);
    if (!trigger || !(await world.call(focusTrigger, index))) return undefined;
    let waited = 0;
    for (const ms of SHOWN_MS) {
      await rest(ms - waited);
      waited = ms;
      const { isThere, wasPresent } = await world.call(noteContent, index);
      if (isThere) return { wasPresent, point: trigger.point };
    }
    return undefined;
  }

  async function isClosedByEscape(): Promise<boolean> {
    signal.throwIfAborted();
    await pressKey(session, "Escape");
    return hasGone(CLOSED_MS);
  }
}
