import type { CDPSession, Protocol } from "puppeteer";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { KEEP_NAMES } from "~/scan/page/keep-names";
import { nodeIds } from "~/scan/page/node-ids";
import { findFrameworkListeners } from "./framework-listeners";
import { forgetListeners, keepHovered, keepListeners } from "./keep-listeners";
import { findOpenHosts, openHost } from "./open-hosts";

/** Maximum number of listeners: listing more would take a large part of a page's time. */
const MOST_LISTENERS = 20_000;
const MOST_ELEMENTS = 2_000;
const ACTING = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|keydown|keyup|keypress|focus|focusin|devicemotion|deviceorientation|deviceorientationabsolute)$/;
/** Types stored separately: a page that only observes the pointer or fields does not act. */
const FURTHER = /^(change|input|pointermove|mousemove|touchmove|dragstart)$/;
const MOST_FURTHER = 500;
/** Maximum number of shadow roots of a document with frames: each takes three requests. */
const MOST_HOSTS = 300;
const HOVERING = /^(mouseenter|mouseover|pointerenter|pointerover)$/;
const MOST_HOVERED = 200;
/** Time for the page's own functions, which may be slow on purpose. */
const LOOK_MS = 300;

/**
 * Lists the listeners that scripts have added to elements of the page's own document and its shadow roots (by the debugging protocol)
 * and those that libraries keep for elements, and keeps them in the page's world. If there are too many in the page's process or on its
 * elements, or too many shadow roots in a page with frames, none are kept.
 * @param signal nothing is kept once it is aborted
 */
export async function collectListeners(isolatedWorld: IsolatedWorld, signal: AbortSignal): Promise<void> {
  const { session } = isolatedWorld;
  await isolatedWorld.call(forgetListeners);
  const { jsEventListeners } = await session.send("Memory.getDOMCounters");
  if (jsEventListeners > MOST_LISTENERS || signal.aborted) return;
  const { hosts, hasFrames } = await isolatedWorld.call(findOpenHosts);
  if (hosts > MOST_HOSTS) return;
  const all = await listenersOf(session, { pierce: !hasFrames, signal });
  // A host may have gone meanwhile.
  await Promise.all(Array.from({ length: hosts }, (_, host) => addShadowRoots(isolatedWorld, host, all).catch(() => {})));
  if (all.hovered.size > 0) await isolatedWorld.callOn([...all.hovered].slice(0, MOST_HOVERED), keepHovered, null);
  if (all.acting.size <= MOST_ELEMENTS && !signal.aborted) await keep([...all.acting], "rampeListeners");
  if (!signal.aborted) await keep([...all.further].slice(0, MOST_FURTHER), "rampeFurtherListeners");

  async function keep(listed: [id: number, types: string[]][], global: "rampeListeners" | "rampeFurtherListeners"): Promise<void> {
    await isolatedWorld.callOn(listed.map(([id]) => id), keepListeners, { global, types: listed.map(([, types]) => types) });
  }
}

interface Listed {
  /** Types of the listeners of each element, by the browser's id of the element; those of the window are the document's. */
  acting: Map<number, string[]>;
  /** The same for types that are not actions. */
  further: Map<number, string[]>;
  /** Ids of elements with a listener for the arrival of the pointer. */
  hovered: Set<number>;
}

/**
 * @param pierce also in shadow roots and frames. Not with frames: their elements would become objects of this document's world, and would be
 * no `Element` for the analysis of the frame, which would then find nothing
 */
async function listenersOf(session: CDPSession, { pierce, signal }: { pierce: boolean; signal: AbortSignal }): Promise<Listed> {
  const listed: Listed = { acting: new Map(), further: new Map(), hovered: new Set() };
  // The document of the main world: for that of an isolated world, Chromium 156 creates elements there that are no `Element`.
  const { objectId } = (await session.send("Runtime.evaluate", { expression: "document" })).result;
  if (!objectId) return listed;
  try {
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce });
    addListeners(listed, listeners);
    const ofWindow = await typesOfWindow(session);
    if (ofWindow.length > 0) {
      const { backendNodeId } = (await session.send("DOM.describeNode", { objectId })).node;
      add(listed, backendNodeId, ofWindow);
    }
    for (const [id, types] of await frameworkListeners(session, signal)) {
      // Only listeners that the browser lists may exceed the limit.
      add(listed, id, types, MOST_ELEMENTS);
    }
  } finally {
    await session.send("Runtime.releaseObject", { objectId });
  }
  return listed;
}

/** Adds the listeners in the shadow roots of a host, without those in its frames. */
async function addShadowRoots(isolatedWorld: IsolatedWorld, host: number, listed: Listed): Promise<void> {
  const { session } = isolatedWorld;
  const node = await isolatedWorld.node(openHost, host);
  for (const { backendNodeId, shadowRootType } of node?.shadowRoots ?? []) {
    if (shadowRootType !== "open") continue;
    const { objectId } = (await session.send("DOM.resolveNode", { backendNodeId })).object;
    if (!objectId) continue;
    try {
      const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce: false });
      addListeners(listed, listeners);
    } finally {
      await session.send("Runtime.releaseObject", { objectId });
    }
  }
}

function addListeners(listed: Listed, listeners: Protocol.DOMDebugger.EventListener[]): void {
  for (const { backendNodeId, type } of listeners) {
    if (backendNodeId === undefined) continue;
    add(listed, backendNodeId, [type]);
    if (HOVERING.test(type)) listed.hovered.add(backendNodeId);
  }
}

/** @param most maximum number of elements in a list */
function add({ acting, further }: Listed, id: number, types: string[], most = Infinity): void {
  for (const [list, kind] of [[acting, ACTING], [further, FURTHER]] as const) {
    const fitting = types.filter((type) => kind.test(type));
    if (fitting.length > 0 && (list.has(id) || list.size < most)) list.set(id, [...(list.get(id) ?? []), ...fitting]);
  }
}

/** Types by the browser's id of the element; none if the page gives no answer. */
async function frameworkListeners(session: CDPSession, signal: AbortSignal): Promise<[id: number, types: string[]][]> {
  const objectGroup = "rampe-framework-listeners";
  const expression = `{ ${KEEP_NAMES} (${findFrameworkListeners.toString()})(${MOST_ELEMENTS}); }`;
  try {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, objectGroup, timeout: LOOK_MS });
    if (exceptionDetails || !result.objectId) return [];
    const { result: listed } = await session.send("Runtime.getProperties", { objectId: result.objectId, ownProperties: true });
    const values = listed.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value).slice(0, 2 * MOST_ELEMENTS);
    const found = values.flatMap((element, index) => {
      const types: unknown = values[index + 1]?.value;
      const kept = element?.objectId && typeof types === "string" ? types.split(",").filter((type) => ACTING.test(type) || FURTHER.test(type)) : [];
      return kept.length > 0 ? [{ objectId: element?.objectId, kept }] : [];
    });
    const ids = await nodeIds(session, found.map(({ objectId }) => objectId), signal);
    return ids.flatMap((id, index) => (id === 0 ? [] : [[id, found[index]?.kept ?? []]]));
  } catch {
    return [];
  } finally {
    await session.send("Runtime.releaseObjectGroup", { objectGroup });
  }
}

async function typesOfWindow(session: CDPSession): Promise<string[]> {
  const { objectId } = (await session.send("Runtime.evaluate", { expression: "window" })).result;
  if (!objectId) return [];
  try {
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId });
    return listeners.map(({ type }) => type);
  } finally {
    await session.send("Runtime.releaseObject", { objectId });
  }
}
