import { within } from "~/platform/async/deadline";
import { timeoutFactor } from "~/scan/browser/concurrency";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { describePage } from "./describe-page";
import { FACT_LIMITS, type SiteFacts } from "./site-facts";

/** Time limit; usual pages take a few ms. */
const WITHIN_MS = 1_000;

/** Facts of a page for the rules about whole sites; undefined if the page hangs or has gone. Never fails. */
export async function collectFacts(world: IsolatedWorld): Promise<SiteFacts | undefined> {
  return within(WITHIN_MS * timeoutFactor(), world.call(describePage, FACT_LIMITS)).catch(() => undefined);
}
