import type { PageResult } from "~/scan/types";
import type { KnownAddress } from "./frontier";
import type { Trap } from "./traps/trap";

export type { KnownAddress, Trap };

/**
 * Why an address is none of the site's pages that are listed: by what a visit showed, or `excluded` by robots.txt, as
 * are enough others that are listed. `left_out`: it led to a page that was to be left out.
 */
export type Skip = "not_page" | "elsewhere" | "duplicate" | "left_out" | "excluded";

/** Of the pages that robots.txt keeps us from. */
export const MOST_EXCLUDED_LISTED = 100;

/** Of the addresses that led to another site. */
export const MOST_ELSEWHERE_LISTED = 50;

/** An address of the site that led to another one. */
export interface LedElsewhere {
  url: string;
  finalUrl: string;
  linkedFrom: string | null;
}

/** What a crawl knows besides its pages: what it was allowed, what it left out, and why. */
export interface CrawlFacts {
  /** Pages with an outcome; those that robots.txt keeps us from do not count. */
  pages: number;
  /** Addresses that are, or may turn out to be, pages: done, under way and waiting. */
  known: number;
  /** Addresses that were known but not visited when the crawl ended. */
  waiting: number;
  /**
   * The most pages that this crawl may check; `limited` when it would have gone on otherwise, or gave up because too
   * many visits turned out to be none of a page.
   */
  maxPages: number;
  limited: boolean;
  robots: "found" | "none" | "unreachable";
  /** Between two pages, in ms. */
  crawlDelayMs: number;
  /** Pages that robots.txt keeps us from; the first of them are listed among the pages. */
  excluded: number;
  skipped: {
    /** Links to documents, images and the like, by the look of their addresses. */
    files: number;
    /** Addresses that answered with something else than a page. */
    notPage: number;
    /** Addresses that led to another site. */
    elsewhere: number;
    /** Addresses that led to a page that is known by another address. */
    duplicate: number;
    /** Addresses beyond the number that is kept. */
    overflow: number;
    /** Addresses that were to be left out; undefined for none. */
    leftOut?: number;
  };
  /** The first of the addresses that led to another site; undefined for none. */
  elsewhere?: LedElsewhere[];
  traps: Trap[];
  /** Undefined as long as they have not been read. */
  sitemaps?: {
    files: number;
    urls: number;
    problems: { url: string; why: string }[];
    moreProblems?: number;
    cut: boolean;
  };
  /** Where the start page led to, if that is another site: its links were not followed. */
  ledElsewhere: string | null;
  /** The site answered with nothing but errors, or not at all, and was left alone. */
  stopped: boolean;
  /** It ended after so many minutes, the most that it might take; undefined for one that did not. */
  timeLimit?: number;
}

/** An address as a store gives it back. */
export interface RememberedAddress {
  address: KnownAddress;
  isDone: boolean;
  /**
   * 1 once a process ended while it was visited beside others; 1 more for each that ended while it was visited alone.
   */
  deaths: number;
  /** Where it landed, once it is done and was a page. */
  finalUrl: string | null;
  /** The address that it gave as its own, where it stands for that one. */
  canonical: string | null;
}

/** What outlives a crawl's process. Its methods are called one at a time; when one rejects, the crawl ends with that. */
export interface CrawlStore {
  /** Everything kept so far, in the order in which it was found; null for a crawl that begins. */
  load(): Promise<{ addresses: RememberedAddress[]; facts: CrawlFacts } | null>;
  /** New addresses. */
  found(addresses: KnownAddress[], facts: CrawlFacts): Promise<void>;
  /** An address is about to be visited. @param alone nothing else is visited meanwhile */
  begin(address: KnownAddress, alone: boolean): Promise<void>;
  /** The site asked to be left alone: the address will be visited later. */
  postpone(address: KnownAddress): Promise<void>;
  /**
   * The outcome of a page.
   * @param canonical another address that needs no visit any more, as the page stands for it
   */
  page(address: KnownAddress, result: PageResult, facts: CrawlFacts, canonical?: string): Promise<void>;
  /** The address needs no visit any more, and is not listed. */
  skip(address: KnownAddress, why: Skip, facts: CrawlFacts): Promise<void>;
  /** Pages that robots.txt keeps us from, as far as they are listed. */
  excluded(pages: { address: KnownAddress; result: PageResult }[], facts: CrawlFacts): Promise<void>;
}

/** Passes the outcome of each page on and keeps nothing, for a crawl that begins anew each time. */
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
