import type { CDPSession } from "puppeteer";
import { loadsInView } from "./scrolling";
import type { Tab } from "./tab";
import type { IsolatedWorld } from "./isolated-world";

/** Limit above which listeners are not checked one by one. */
const MOST_LISTENERS = 2_000;
const SCROLLING = /^scroll|^contentvisibility/;

/**
 * May scrolling make the page load or show something? Scrolling needs a frame for each screen, and most of the processor
 * time of a watched page. A loaded script may observe what comes into view, and Chromium lists observers only after a
 * full garbage collection, which takes longer than scrolling.
 * @param isolatedWorlds of the analysed frames, the outermost one first
 */
export async function listensToScroll(tab: Tab, isolatedWorlds: IsolatedWorld[]): Promise<boolean> {
  if (tab.network.scripts() > 0) return true;
  // A removed frame loads nothing any more.
  const answers = await Promise.all(isolatedWorlds.map((isolatedWorld, index) => isolatedWorld.call(loadsInView).catch(index > 0 ? () => false : undefined)));
  return answers.includes(true) || listensToScrolling(tab.session);
}

async function listensToScrolling(session: CDPSession): Promise<boolean> {
  const { jsEventListeners } = await session.send("Memory.getDOMCounters");
  if (jsEventListeners > MOST_LISTENERS) return true;
  const types = await Promise.all([typesOf("window"), typesOf("document")]);
  return types.flat().some((type) => SCROLLING.test(type));

  /** Types of listeners, read in the page's main world; neither name can be redefined. */
  async function typesOf(expression: "window" | "document"): Promise<string[]> {
    const { objectId } = (await session.send("Runtime.evaluate", { expression })).result;
    if (!objectId) return [];
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce: true });
    return listeners.map(({ type }) => type);
  }
}
