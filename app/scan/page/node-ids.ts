import type { CDPSession } from "puppeteer";

/** Number of nodes per request: each answer contains all attributes of the node, which the page may have made very long. */
const AT_ONCE = 8;

/**
 * Ids of nodes in the browser, by the ids of their objects; 0 for other objects.
 * @param signal no further requests once it is aborted
 */
export async function nodeIds(session: CDPSession, objectIds: (string | undefined)[], signal?: AbortSignal): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < objectIds.length && !signal?.aborted; start += AT_ONCE) {
    const part = objectIds.slice(start, start + AT_ONCE).map(async (objectId) => (objectId === undefined ? 0 : idOf(session, objectId)));
    ids.push(...(await Promise.all(part)));
  }
  return ids;
}

async function idOf(session: CDPSession, objectId: string): Promise<number> {
  const described = await session.send("DOM.describeNode", { objectId }).catch(() => null);
  return described?.node.backendNodeId ?? 0;
}
