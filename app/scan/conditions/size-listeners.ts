import type { CDPSession } from "puppeteer";

const TARGETS = ["window", "visualViewport"];
const EVENTS = new Set(["resize", "orientationchange"]);

/**
 * Whether scripts of the page listen to the size of its window. What they do often waits until the window has come to rest; styles,
 * media queries and observers of sizes follow at once.
 */
export async function listensToSize(session: CDPSession): Promise<boolean> {
  const objectGroup = "rampe-size";
  try {
    const found = await Promise.all(TARGETS.map(listenersOf));
    return found.flat().some(({ type }) => EVENTS.has(type));
  } finally {
    await session.send("Runtime.releaseObjectGroup", { objectGroup });
  }

  async function listenersOf(expression: string) {
    const { result } = await session.send("Runtime.evaluate", { expression, objectGroup });
    if (!result.objectId) return [];
    return (await session.send("DOMDebugger.getEventListeners", { objectId: result.objectId })).listeners;
  }
}
