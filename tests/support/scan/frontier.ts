import { siteOf } from "~/scan/crawl/addresses/address";
import { createFrontier, type Frontier, type KnownAddress } from "~/scan/crawl/frontier";

export const ORIGIN = "https://example.com";
const absolute = (path: string) => (path.startsWith("/") ? ORIGIN + path : path);

/** Empty frontier of `ORIGIN`. @param mostKnown maximum number of addresses */
export function frontierWith(mostKnown = 5_000): Frontier {
  return createFrontier({ site: siteOf(ORIGIN), mostKnown });
}

/** Frontier whose start page has been taken. */
export function started(mostKnown?: number): { frontier: Frontier; start: KnownAddress } {
  const frontier = frontierWith(mostKnown);
  frontier.add({ urls: [`${ORIGIN}/`], source: "start" });
  return { frontier, start: frontier.next() as KnownAddress };
}

/** Adds the links of a page. */
export const link = (frontier: Frontier, from: KnownAddress, paths: string[]) =>
  frontier.add({ urls: paths.map(absolute), source: "link", from });

export const pathOf = ({ url }: KnownAddress) => url.replace(ORIGIN, "");

/** Takes all waiting pages. */
export function drained(frontier: Frontier): string[] {
  const paths: string[] = [];
  for (let next = frontier.next(); next; next = frontier.next()) paths.push(pathOf(next));
  return paths;
}

/** Visits all pages; returns visited and known ones. @param linksOf links of each path */
export function walk(linksOf: (path: string) => string[], limit = 2_000) {
  const frontier = frontierWith(limit * 2);
  const known = frontier.add({ urls: [`${ORIGIN}/`], source: "start" });
  const visited: string[] = [];
  for (let next = frontier.next(); next && visited.length < limit; next = frontier.next()) {
    visited.push(pathOf(next));
    known.push(...link(frontier, next, linksOf(pathOf(next))));
  }
  return { frontier, visited, known };
}

/** Numbers such as 0, 1, 2. */
export const range = (count: number, start = 0) => Array.from({ length: count }, (_, index) => index + start);
