import type { PageResult } from "~/scan/types";
import type { KnownAddress } from "./frontier";
import type { Trap } from "./traps/trap";

export type { KnownAddress, Trap };

/**
 * Why an address is not among the site's listed pages: because of a visit, or `excluded`: disallowed by robots.txt after
 * enough such pages are listed. `left_out`: it led to a page excluded by the user.
 */
export type Skip = "not_page" | "elsewhere" | "duplicate" | "left_out" | "excluded";

/** Of the pages disallowed by robots.txt. */
export const MOST_EXCLUDED_LISTED = 100;

/** Of the addresses that led to another site. */
export const MOST_ELSEWHERE_LISTED = 50;

/** An address of the site that led to another one. */
interface LedElsewhere {
  url: string;
  finalUrl: string;
  linkedFrom: string | null;
}

/** Facts of a crawl besides its pages: its permissions, the skipped addresses, and why. */
export interface CrawlFacts {
  /** Pages with an outcome, without those disallowed by robots.txt. */
  pages: number;
  /** Addresses that are, or may be, pages: done, open and waiting. */
  known: number;
  /** Addresses known but not visited at the end of the crawl. */
  waiting: number;
  /**
   * Page limit of this crawl; `limited` when it stopped because of the limit, or because too many visits turned out not
   * to be pages.
   */
  maxPages: number;
  limited: boolean;
  robots: "found" | "none" | "unreachable";
  /** Delay between two pages, in ms. */
  crawlDelayMs: number;
  /** Pages disallowed by robots.txt; the first of them are listed among the pages. */
  excluded: number;
  skipped: {
    /** Links to documents, images and the like, judged by their addresses. */
    files: number;
    /** Addresses whose answer was not a page. */
    notPage: number;
    /** Addresses that led to another site. */
    elsewhere: number;
    /** Addresses that led to a page known by another address. */
    duplicate: number;
    /** Addresses above the limit of kept ones. */
    overflow: number;
    /** Addresses excluded by the user; undefined for none. */
    leftOut?: number;
  };
  /** The first of the addresses that led to another site; undefined for none. */
  elsewhere?: LedElsewhere[];
  traps: Trap[];
  /** Undefined until they have been read. */
  sitemaps?: {
    files: number;
    urls: number;
    problems: { url: string; why: string }[];
    moreProblems?: number;
    cut: boolean;
  };
  /** Address reached by the start page, if on another site: its links were not followed. */
  ledElsewhere: string | null;
  /** The site gave only errors, or no answers, so the crawl stopped. */
  stopped: boolean;
  /** Time limit in minutes that ended the crawl; undefined if none did. */
  timeLimit?: number;
}

/** An address as returned by a store. */
export interface RememberedAddress {
  address: KnownAddress;
  isDone: boolean;
  /**
   * 1 after a process ended while it was visited beside others; 1 more for each that ended while it was visited alone.
   */
  deaths: number;
  /** The address reached, if it is done and was a page. */
  finalUrl: string | null;
  /** Its declared canonical address, if it stands for that one. */
  canonical: string | null;
}

/** Persistent state of a crawl. Its methods are called one at a time; when one rejects, the crawl ends with that error. */
export interface CrawlStore {
  /** The saved state, in order of discovery; null for a new crawl. */
  load(): Promise<{ addresses: RememberedAddress[]; facts: CrawlFacts } | null>;
  /** New addresses. */
  found(addresses: KnownAddress[], facts: CrawlFacts): Promise<void>;
  /** An address is about to be visited. @param alone no other address is visited meanwhile */
  begin(address: KnownAddress, alone: boolean): Promise<void>;
  /** Temporary failure: the address is visited later. */
  postpone(address: KnownAddress): Promise<void>;
  /**
   * The outcome of a page.
   * @param canonical another address that needs no visit, because this page stands for it
   */
  page(address: KnownAddress, result: PageResult, facts: CrawlFacts, canonical?: string): Promise<void>;
  /** The address needs no further visit, and is not listed. */
  skip(address: KnownAddress, why: Skip, facts: CrawlFacts): Promise<void>;
  /** The listed pages among those disallowed by robots.txt. */
  excluded(pages: { address: KnownAddress; result: PageResult }[], facts: CrawlFacts): Promise<void>;
}

/** Passes on the outcome of each page and saves nothing, for crawls that always start anew. */
export function passingStore(onPage: (result: PageResult) => void): CrawlStore {
  const nothing = async () => {};
  return {
    load: async () => null,
    found: nothing,
    begin: nothing,
    postpone: nothing,
    skip: nothing,
    page: async (_address, result) => onPage(result),
    excluded: async (pages) => pages.forEach(({ result }) => onPage(result)),
  };
}
