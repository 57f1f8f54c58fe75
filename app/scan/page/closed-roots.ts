import { findPossibleHosts, possibleHost } from "./shadow-hosts";
import type { IsolatedWorld } from "./isolated-world";

/** Maximum number of tested hosts; each costs one query to the browser. */
const MOST_HOSTS = 200;

/** Counts the closed shadow roots of a document: scripts, and so analyses, cannot see their content. */
export async function countClosedRoots(isolatedWorld: IsolatedWorld): Promise<number> {
  const hosts = await isolatedWorld.call(findPossibleHosts, MOST_HOSTS);
  const closed = await Promise.all(Array.from({ length: hosts }, (_, index) => hasClosedRoot(isolatedWorld, index)));
  return closed.filter(Boolean).length;
}

async function hasClosedRoot(isolatedWorld: IsolatedWorld, index: number): Promise<boolean> {
  const node = await isolatedWorld.node(possibleHost, index);
  return node?.shadowRoots?.some(({ shadowRootType }) => shadowRootType === "closed") ?? false;
}
