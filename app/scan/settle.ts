import { OutOfTime, within } from "./deadline";
import { domQuiet, watchChanges } from "./in-page/observe";
import { silenceScripts } from "./stop-scripts";
import type { Tab } from "./tab";
import type { World } from "./world";

/** No change for so long counts as settled. */
const QUIET_MS = 120;
/** A page that never comes to rest is taken as it stands. */
const SETTLE_WITHIN_MS = 3_000;
/** A script that does not even let us measure the rest for so much longer is stopped. */
const GRACE_MS = 2_000;

/**
 * Waits until scripts have done with the document: no change for a moment, and nothing on its way that brings more.
 * @param meanwhile begins what can be done while there is only waiting to do; more than once, perhaps
 * @returns false when something still was on its way, or a script had to be stopped: the document may lack what it brings
 */
export async function settle(tab: Tab, world: World, meanwhile = () => {}): Promise<boolean> {
  let undisturbed = true;
  const end = performance.now() + SETTLE_WITHIN_MS;
  const left = () => Math.max(0, end - performance.now());
  do {
    if (tab.network.busy()) meanwhile();
    await tab.until(() => !tab.network.busy(), left());
    try {
      const quiet = within(left() + GRACE_MS, quietOf(world, left()));
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

async function quietOf(world: World, mostMs: number): Promise<void> {
  await world.call(watchChanges);
  await world.call(domQuiet, QUIET_MS, mostMs);
}
