import type { CDPSession } from "puppeteer";

const TARGETS = ["window", "visualViewport"];
const EVENTS = new Set(["resize", "orientationchange"]);

/**
 * Do scripts of the page listen to the size of its window? Their effects often come only after the window has stopped changing; styles,
 * media queries and resize observers react at once.
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
