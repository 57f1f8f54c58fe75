import { crawl, type CrawlRequest } from "~/scan/crawl/crawl";
import { createHostThrottles, type HostThrottles } from "~/scan/crawl/host-throttle";
import type { SiteFetch } from "~/scan/crawl/site-fetch";
import { passingStore, type CrawlStore } from "~/scan/crawl/store";
import type { FailureDetail, PageRequest, PageResult, Reason } from "~/scan/types";
import { checkedPage, fakeScanner, uncheckedPage } from "../database/page-results";
import { WCAG22AA } from "./scanner";

export const ORIGIN = "https://example.com";
export const absolute = (path: string) => new URL(path, ORIGIN).href;

/** Content at an address for the browser. */
export interface FoundPage {
  links?: string[];
  canonical?: string;
  /** Final address after redirects. */
  to?: string;
  fails?: Reason;
  detail?: FailureDetail;
  /** Whether the failure comes after the document has arrived. */
  late?: boolean;
}

interface Options {
  pages: Record<string, FoundPage | (() => FoundPage)>;
  /** Pages outside of `pages`, by path and query; undefined if the page does not exist. */
  other?: (path: string) => FoundPage | undefined;
  /** Page limit of the installation. */
  maxPages?: number;
  mostMinutes?: number;
  request?: Partial<CrawlRequest>;
  /** Answers to fetches, by address; a function may delay its answer. */
  files?: Record<string, string | ((signal?: AbortSignal) => Promise<string>)>;
  store?: Partial<CrawlStore>;
  /** Pace of the sites, shared by crawls. */
  throttles?: HostThrottles;
  /** Number of pages that the scanner checks at once. */
  parallel?: number;
  /** Loads a page. */
  load?: () => Promise<void>;
}

/** Crawls a made-up site. Its pages are looked up, not loaded, so that only the crawl itself takes time. */
export async function crawled({ pages, other, maxPages = 50, mostMinutes, request = {}, files = {}, store = {}, throttles = createHostThrottles(), parallel = 2, load = () => Promise.resolve() }: Options) {
  const outcomes: string[] = [];
  const visits: { path: string; at: number; alone?: boolean }[] = [];
  const shown = (url: string) => url.replace(ORIGIN, "");

  async function check({ url, onArrival, signal, alone }: PageRequest): Promise<PageResult> {
    visits.push({ path: shown(url), at: Date.now(), alone });
    await load();
    const page = pages[shown(url)] ?? other?.(shown(url)) ?? { fails: "http_status", detail: { httpStatus: 404 } };
    const { links = [], canonical, to = url, fails, detail = {}, late } = typeof page === "function" ? page() : page;
    const failure = fails && uncheckedPage({ url, finalUrl: absolute(to), reason: fails, detail });
    if (failure && !late) return failure;
    const finalUrl = absolute(to);
    const arrival = { url: finalUrl, canonical: canonical ? absolute(canonical) : null, links: links.map(absolute) };
    onArrival?.(arrival);
    signal?.throwIfAborted();
    return failure ?? checkedPage({ url, finalUrl });
  }

  const fetch: SiteFetch = {
    async get(url, { signal }) {
      const file = files[shown(url)];
      const text = typeof file === "function" ? await file(signal) : file;
      return { status: text === undefined ? 404 : 200, headers: {}, url, body: Buffer.from(text ?? ""), cut: false };
    },
  };
  const passing = passingStore((result) => {
    outcomes.push(`${shown(result.url)} ${result.status === "succeeded" ? result.status : result.reason}`);
  });
  const facts = await crawl(
    { url: `${ORIGIN}/`, standard: WCAG22AA, ...request },
    { ...passing, ...store },
    { scanner: { ...fakeScanner(check), parallel }, fetch, throttles, userAgent: "Rampe/1", maxPages, mostMinutes },
  );
  return { outcomes, facts, visits, visited: visits.map(({ path }) => path) };
}

/** Names such as `/a0`, `/a1`. */
export const numbered = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);
