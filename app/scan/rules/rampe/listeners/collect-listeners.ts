import type { CDPSession } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { forgetListeners, keepHovered, keepListeners } from "./keep-listeners";

/** With more, listing them would take a good part of a page's time. */
const MOST_LISTENERS = 20_000;
const MOST_ELEMENTS = 2_000;
const ACTING = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|keydown|keyup|keypress|focus|focusin|devicemotion|deviceorientation|deviceorientationabsolute)$/;
const HOVERING = /^(mouseenter|mouseover|pointerenter|pointerover)$/;
const MOST_HOVERED = 200;

/**
 * Lists the listeners that scripts have added to elements of the page's own document, by the debugging protocol, and keeps them in
 * its world; those in shadow roots are not listed. With too many in the page's process or on its elements, none are kept.
 * @param signal keeps none once it is aborted
 */
export async function collectListeners(isolatedWorld: IsolatedWorld, signal: AbortSignal): Promise<void> {
  const { session } = isolatedWorld;
  await isolatedWorld.call(forgetListeners);
  const { jsEventListeners } = await session.send("Memory.getDOMCounters");
  if (jsEventListeners > MOST_LISTENERS || signal.aborted) return;
  const all = await listenersOf(session);
  if (all.hovered.length > 0) await isolatedWorld.callOn(all.hovered.slice(0, MOST_HOVERED), keepHovered, null);
  const listed = [...all.acting];
  if (listed.length > MOST_ELEMENTS || signal.aborted) return;
  await isolatedWorld.callOn(listed.map(([id]) => id), keepListeners, listed.map(([, types]) => types));
}

interface Listed {
  /** Types of the listeners of each element, by the browser's id of the element; those of the window are the document's. */
  acting: Map<number, string[]>;
  /** Ids of elements that hear when the pointer comes. */
  hovered: number[];
}

async function listenersOf(session: CDPSession): Promise<Listed> {
  const acting = new Map<number, string[]>();
  const hovered = new Set<number>();
  // In the page's main world: asked for a document of an isolated world, Chromium 156 makes elements there that are no `Element`.
  const { objectId } = (await session.send("Runtime.evaluate", { expression: "document" })).result;
  if (!objectId) return { acting, hovered: [] };
  try {
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId, depth: -1 });
    for (const { backendNodeId, type } of listeners) {
      if (backendNodeId === undefined) continue;
      if (ACTING.test(type)) acting.set(backendNodeId, [...(acting.get(backendNodeId) ?? []), type]);
      if (HOVERING.test(type)) hovered.add(backendNodeId);
    }
    const ofWindow = await typesOfWindow(session);
    if (ofWindow.length > 0) {
      const { backendNodeId } = (await session.send("DOM.describeNode", { objectId })).node;
      acting.set(backendNodeId, [...(acting.get(backendNodeId) ?? []), ...ofWindow]);
    }
  } finally {
    await session.send("Runtime.releaseObject", { objectId });
  }
  return { acting, hovered: [...hovered] };
}

async function typesOfWindow(session: CDPSession): Promise<string[]> {
  const { objectId } = (await session.send("Runtime.evaluate", { expression: "window" })).result;
  if (!objectId) return [];
  try {
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId });
    return listeners.map(({ type }) => type).filter((type) => ACTING.test(type));
  } finally {
    await session.send("Runtime.releaseObject", { objectId });
  }
}
