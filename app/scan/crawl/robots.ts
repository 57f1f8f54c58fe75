import type { SiteFetch } from "./site-fetch";

/** What a site's robots.txt asks of us. */
export interface Robots {
  allows(url: string): boolean;
  /** Least time between two requests, in ms. */
  crawlDelayMs: number;
  sitemaps: string[];
  state: "found" | "none" | "unreachable";
}

export async function readRobots(
  _origin: string,
  _options: { fetch: SiteFetch; userAgent: string; signal?: AbortSignal },
): Promise<Robots> {
  return { allows: () => true, crawlDelayMs: 0, sitemaps: [], state: "none" };
}
