import { findPossibleHosts, possibleHost } from "./shadow-hosts";
import type { IsolatedWorld } from "./isolated-world";

/** Each is one question to the browser. */
const MOST_HOSTS = 200;

/** Counts the closed shadow roots of a document: no script can look into them, so no analysis does. */
export async function countClosedRoots(world: IsolatedWorld): Promise<number> {
  const hosts = await world.call(findPossibleHosts, MOST_HOSTS);
  const nodes = await Promise.all(
    Array.from({ length: hosts }, (_, index) => world.node(possibleHost, index))
  );
  return nodes.filter((node) => node?.shadowRoots?.some(({ shadowRootType }) => shadowRootType === "closed"))
    .length;
}
