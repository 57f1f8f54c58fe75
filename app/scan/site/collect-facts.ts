import { OutOfTime, within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { stopScripts } from "~/scan/page/stop-scripts";
import { describePage } from "./describe-page";
import { FACT_LIMITS, type SiteFacts } from "./site-facts";

/** Usual pages take a few ms. */
const WITHIN_MS = 1_000;

/** Facts of a page for the rules about whole sites; undefined if the page hangs or has gone. Never fails. */
export async function collectFacts(world: IsolatedWorld): Promise<SiteFacts | undefined> {
  try {
    return await within(WITHIN_MS, world.call(describePage, FACT_LIMITS));
  } catch (error) {
    // Perhaps in our own function.
    if (error instanceof OutOfTime) await within(WITHIN_MS, stopScripts(world.session)).catch(() => {});
    return undefined;
  }
}
