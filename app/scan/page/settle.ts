import { timeoutFactor } from "~/scan/browser/concurrency";
import { OutOfTime, within, withinOr } from "~/platform/async/deadline";
import { changesOfSmall, domQuiet, watchChanges } from "./observe";
import { definePause } from "./pause";
import { silenceScripts } from "./stop-scripts";
import type { Tab } from "./tab";
import type { IsolatedWorld } from "./isolated-world";

/** Time without changes that counts as settled. */
const QUIET_MS = 120;
/** A page that never comes to rest is analysed in its current state. */
const SETTLE_WITHIN_MS = 3_000;
/** A script that blocks our measurement for this much longer is stopped. */
const GRACE_MS = 2_000;
/** A document that does not answer within this time is not at rest. */
const ANSWER_WITHIN_MS = 500;
/** A larger document's analysis takes so much longer than the wait that a second one does not pay off. */
const SMALL = 3_000;
/** Time for scripts to finish work that was delayed by ours. */
const CATCH_UP_MS = 10;

/** Starts to record a document's changes early, so that rest before the actual wait counts too. */
export async function watchDocument(isolatedWorld: IsolatedWorld): Promise<void> {
  await Promise.all([isolatedWorld.call(definePause), isolatedWorld.call(watchChanges)]);
}

/**
 * Waits until scripts have finished with the document: no change for a moment, and no relevant request open.
 * @param mostMs upper limit of the wait, which is never longer than 3 s
 * @param meanwhile starts work that fits into the wait; may be called more than once
 * @returns false when a request was still open, or a script had to be stopped: the document may lack their content
 */
export async function settle(tab: Tab, isolatedWorld: IsolatedWorld, mostMs: number, meanwhile = () => {}): Promise<boolean> {
  let undisturbed = true;
  const end = performance.now() + Math.min(SETTLE_WITHIN_MS, mostMs);
  const left = () => Math.max(0, end - performance.now());
  do {
    const wasBusy = tab.network.busy();
    if (wasBusy) meanwhile();
    await tab.until(() => !tab.network.busy(), left());
    try {
      // Scripts now process what has arrived.
      const quiet = within(left() + GRACE_MS * timeoutFactor(), quietOf(isolatedWorld, left(), wasBusy ? QUIET_MS : 0));
      // Called last, so that it runs during the wait.
      meanwhile();
      await quiet;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      await silenceScripts(tab.session);
      undisturbed = false;
    }
  } while (tab.network.busy() && left() > 0);
  return undisturbed && !tab.network.busy();
}

/** No script has changed the document since its markup was read, and no open request may. */
export async function seemsAtRest(tab: Tab, isolatedWorld: IsolatedWorld): Promise<boolean> {
  if (tab.network.busy()) return false;
  const changes = watchDocument(isolatedWorld).then(() => isolatedWorld.call(changesOfSmall, SMALL));
  return (await withinOr(ANSWER_WITHIN_MS, changes, undefined)) === 0;
}

/** After `seemsAtRest` and an analysis: confirms that the document was at rest, as waiting would have found. */
export async function stayedAtRest(tab: Tab, isolatedWorld: IsolatedWorld): Promise<boolean> {
  if (tab.network.busy()) return false;
  const changes = await withinOr(GRACE_MS * timeoutFactor(), isolatedWorld.call(domQuiet, QUIET_MS, QUIET_MS, CATCH_UP_MS), undefined);
  return changes === 0 && !tab.network.busy();
}

async function quietOf(isolatedWorld: IsolatedWorld, mostMs: number, leastMs: number): Promise<void> {
  await watchDocument(isolatedWorld);
  await isolatedWorld.call(domQuiet, QUIET_MS, mostMs, leastMs);
}
