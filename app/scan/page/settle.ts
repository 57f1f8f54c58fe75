import { patience } from "~/scan/browser/concurrency";
import { OutOfTime, within } from "~/scan/browser/deadline";
import { changesOfSmall, domQuiet, watchChanges } from "./observe";
import { definePause } from "./pause";
import { silenceScripts } from "./stop-scripts";
import type { Tab } from "./tab";
import type { IsolatedWorld } from "./isolated-world";

/** No change for so long counts as settled. */
const QUIET_MS = 120;
/** A page that never comes to rest is taken as it stands. */
const SETTLE_WITHIN_MS = 3_000;
/** A script that does not even let us measure the rest for so much longer is stopped. */
const GRACE_MS = 2_000;
/** Whatever keeps a document from answering for so long, it is not at rest. */
const ANSWER_WITHIN_MS = 500;
/** The analysis of a larger document takes so much longer than the wait that it is not worth a second one. */
const SMALL = 3_000;
/** What scripts had to leave while our own were running is done within so long. */
const CATCH_UP_MS = 10;

/** Begins to take note of a document's changes, so that rest which comes before anybody waits for it counts. */
export async function watchDocument(world: IsolatedWorld): Promise<void> {
  await Promise.all([world.call(definePause), world.call(watchChanges)]);
}

/**
 * Waits until scripts have done with the document: no change for a moment, and nothing on its way that brings more.
 * @param mostMs it does not wait longer, and never longer than 3 s
 * @param meanwhile begins what can be done while there is only waiting to do; more than once, perhaps
 * @returns false when something still was on its way, or a script had to be stopped: the document may lack what it brings
 */
export async function settle(tab: Tab, world: IsolatedWorld, mostMs: number, meanwhile = () => {}): Promise<boolean> {
  let undisturbed = true;
  const end = performance.now() + Math.min(SETTLE_WITHIN_MS, mostMs);
  const left = () => Math.max(0, end - performance.now());
  do {
    const wasBusy = tab.network.busy();
    if (wasBusy) meanwhile();
    await tab.until(() => !tab.network.busy(), left());
    try {
      // What has come is for scripts to deal with now.
      const quiet = within(left() + GRACE_MS * patience(), quietOf(world, left(), wasBusy ? QUIET_MS : 0));
      // Afterwards, so that it falls into the time that is waited for.
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

/** No script has changed the document since its markup was read, and nothing is on its way that may. */
export async function seemsAtRest(tab: Tab, world: IsolatedWorld): Promise<boolean> {
  if (tab.network.busy()) return false;
  const changes = watchDocument(world).then(() => world.call(changesOfSmall, SMALL));
  return (await unlessLate(ANSWER_WITHIN_MS, changes)) === 0;
}

/** After `seemsAtRest` and an analysis: that was so indeed, and would have been found by waiting for it. */
export async function stayedAtRest(tab: Tab, world: IsolatedWorld): Promise<boolean> {
  if (tab.network.busy()) return false;
  const changes = await unlessLate(GRACE_MS * patience(), world.call(domQuiet, QUIET_MS, QUIET_MS, CATCH_UP_MS));
  return changes === 0 && !tab.network.busy();
}

async function unlessLate<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  return within(ms, answer).catch((error: unknown) => {
    if (!(error instanceof OutOfTime)) throw error;
    return undefined;
  });
}

async function quietOf(world: IsolatedWorld, mostMs: number, leastMs: number): Promise<void> {
  await watchDocument(world);
  await world.call(domQuiet, QUIET_MS, mostMs, leastMs);
}
