import { within } from "~/platform/async/deadline";
import { cutConnection } from "~/scan/interaction/cut-connection";
import type { Egress } from "~/scan/network/egress";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Tab } from "~/scan/page/tab";
import type { CheckedPage } from "~/scan/types";
import { openPage } from "./open-page";
import { walkPage, type WalkOptions } from "./walk-page";

const CUT_WITHIN_MS = 2_000;
const SHARE_TO_WALK = 0.55;

/**
 * Operates an analysed page as people do, cut off from the network, and adds what the rules of use find: walks through it by keyboard, then
 * opens what opens. It must come after everything that needs the network. Never fails.
 * @param world world of the analysis
 * @param page whose results are changed
 */
export async function operatePage(tab: Tab, egress: Egress, world: IsolatedWorld, page: CheckedPage, options: WalkOptions): Promise<void> {
  const end = performance.now() + options.budgetMs;
  const connection = await within(CUT_WITHIN_MS, cutConnection(tab, egress)).catch(() => undefined);
  await walkPage(tab, connection, world, page, { ...options, budgetMs: options.budgetMs * SHARE_TO_WALK });
  await openPage(tab, connection, world, page, { ...options, budgetMs: end - performance.now() });
  if (connection) page.gaps.offline = connection.requests();
}
