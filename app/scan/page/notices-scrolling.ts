import type { CDPSession } from "puppeteer";
import { loadsInView } from "./scrolling";
import type { Tab } from "./tab";
import type { IsolatedWorld } from "./isolated-world";

/** Of a page with more, they are not looked at one by one. */
const MOST_LISTENERS = 2_000;
const SCROLLING = /^scroll|^contentvisibility/;

/**
 * May the page load or show something because it is scrolled? To scroll takes a frame for each screen, and most of the
 * processor's time that a watched page takes. A script that was loaded may observe what comes into view, and Chromium tells
 * of observers only by collecting all garbage, which takes longer than to scroll.
 * @param worlds of the frames that were analysed, the outermost one first
 */
export async function noticesScrolling(tab: Tab, worlds: IsolatedWorld[]): Promise<boolean> {
  if (tab.network.scripts() > 0) return true;
  // A frame that has gone meanwhile loads nothing any more.
  const answers = await Promise.all(worlds.map((world, index) => world.call(loadsInView).catch(index > 0 ? () => false : undefined)));
  return answers.includes(true) || listensToScrolling(tab.session);
}

async function listensToScrolling(session: CDPSession): Promise<boolean> {
  const { jsEventListeners } = await session.send("Memory.getDOMCounters");
  if (jsEventListeners > MOST_LISTENERS) return true;
  const types = await Promise.all([typesOf("window"), typesOf("document")]);
  return types.flat().some((type) => SCROLLING.test(type));

  /** Of the page's own world; neither name can be given to anything else. */
  async function typesOf(expression: "window" | "document"): Promise<string[]> {
    const { objectId } = (await session.send("Runtime.evaluate", { expression })).result;
    if (!objectId) return [];
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce: true });
    return listeners.map(({ type }) => type);
  }
}
