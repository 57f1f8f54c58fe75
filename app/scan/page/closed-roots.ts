import { findPossibleHosts, possibleHost } from "./shadow-hosts";
import type { IsolatedWorld } from "./isolated-world";

/** Each costs one query to the browser. */
const MOST_HOSTS = 200;

/** Counts the closed shadow roots of a document: no script, and so no analysis, can look into them. */
export async function countClosedRoots(isolatedWorld: IsolatedWorld): Promise<number> {
  const hosts = await isolatedWorld.call(findPossibleHosts, MOST_HOSTS);
  const nodes = await Promise.all(
    Array.from({ length: hosts }, (_, index) => isolatedWorld.node(possibleHost, index))
  );
  return nodes.filter((node) => node?.shadowRoots?.some(({ shadowRootType }) => shadowRootType === "closed"))
    .length;
}
