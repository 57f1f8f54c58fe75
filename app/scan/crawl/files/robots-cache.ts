import { readRobots, type Robots } from "./robots";
import type { SiteFetch } from "~/scan/crawl/site-fetch";

/** The robots.txt of each origin that a site has (with and without `www.`, http and https), read once. */
export interface RobotsCache {
  of(url: string): Promise<Robots>;
}

export function createRobotsCache(options: {
  fetch: SiteFetch;
  userAgent: string;
  signal?: AbortSignal;
}): RobotsCache {
  const read = new Map<string, Promise<Robots>>();
  return {
    of(url) {
      const { origin } = new URL(url);
      const known = read.get(origin) ?? readRobots(origin, options);
      read.set(origin, known);
      return known;
    },
  };
}
