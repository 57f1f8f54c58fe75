import { setTimeout as delay } from "node:timers/promises";
import { parseRobots, productToken } from "./robots-rules";
import type { FetchedFile, FetchFailure, SiteFetch } from "~/scan/crawl/site-fetch";
import { decodeText } from "./decode";

/** Rules of a site's robots.txt for us. */
export interface Robots {
  allows(url: string): boolean;
  /** Minimum time between two requests, in ms. */
  crawlDelayMs: number;
  /** Absolute addresses of the sitemaps. */
  sitemaps: string[];
  /** `none` allows everything, `unreachable` nothing. */
  state: "found" | "none" | "unreachable";
}

export interface RobotsOptions {
  fetch: SiteFetch;
  /** User agent, matched by its product token. */
  userAgent: string;
  signal?: AbortSignal;
}

/** The robots.txt of each origin that a site has (with and without `www.`, http and https), read once. */
export interface RobotsCache {
  of(url: string): Promise<Robots>;
}

export function createRobotsCache(options: RobotsOptions): RobotsCache {
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

/** Minimum that a crawler must read (RFC 9309, 2.5). */
const MAX_BYTES = 500 * 1024;
const TRY_WITHIN_MS = 10_000;
/** Pauses before the second and third try. */
const PAUSES_MS = [300, 1_000];
const LONGEST_DELAY_S = 60;

/**
 * Reads the robots.txt of an origin (RFC 9309): without one, everything is allowed; if the server fails, is overloaded or
 * does not answer, nothing is allowed. Rejects only with the signal's reason.
 */
export async function readRobots(origin: string, { fetch, userAgent, signal }: RobotsOptions): Promise<Robots> {
  const address = new URL("/robots.txt", origin).href;
  let answer = await ask();
  for (const pause of PAUSES_MS) {
    if (!isWorthAnotherTry(answer)) break;
    await delay(pause, undefined, { signal });
    answer = await ask();
  }

  if ("reason" in answer) return nothingSaid(answer.reason === "redirect_loop" ? "none" : "unreachable");
  if (isOverloaded(answer)) return nothingSaid("unreachable");
  const text = robotsTextOf(answer);
  return text === undefined ? nothingSaid("none") : rulesOf(text, answer.url);

  function ask() {
    return fetch.get(address, { maxBytes: MAX_BYTES, timeoutMs: TRY_WITHIN_MS, signal });
  }

  function rulesOf(text: string, base: string): Robots {
    const rules = parseRobots(text, productToken(userAgent));
    return {
      allows(url) {
        const { pathname, search } = new URL(url);
        return pathname === "/robots.txt" || rules.allows(pathname + search);
      },
      crawlDelayMs: Math.round(Math.min(rules.crawlDelay, LONGEST_DELAY_S) * 1_000),
      sitemaps: rules.sitemaps
        .filter((sitemap) => URL.canParse(sitemap, base))
        .map((sitemap) => new URL(sitemap, base).href),
      state: "found",
    };
  }
}

function isWorthAnotherTry(answer: FetchedFile | FetchFailure): boolean {
  if ("status" in answer) return isOverloaded(answer);
  return ["dns", "refused", "timeout"].includes(answer.reason);
}

/** An overloaded server does not mean that there are no rules. */
const isOverloaded = ({ status }: FetchedFile) => status >= 500 || status === 429;

/** Undefined without a robots.txt; many sites answer with a page instead of a 404. */
function robotsTextOf({ status, body, cut }: FetchedFile): string | undefined {
  if (status < 200 || status > 299) return undefined;
  const text = decodeText(body);
  if (/^\s*</.test(text)) return undefined;
  // A truncated rule may match more than the full one.
  return cut ? text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"))) : text;
}

const nothingSaid = (state: "none" | "unreachable"): Robots => ({
  allows: () => state === "none",
  crawlDelayMs: 0,
  sitemaps: [],
  state,
});
