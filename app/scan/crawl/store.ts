import type { PageResult } from "~/scan/types";
import type { CrawlFacts } from "./facts";
import type { KnownAddress } from "./frontier";

/** Reason why a visited address is not one of the site's pages; `excluded`: it led to a page that the user excluded. */
export type SkipReason = "not_page" | "elsewhere" | "duplicate" | "excluded";

/** An address as returned by a store. */
export interface RememberedAddress {
  address: KnownAddress;
  isDone: boolean;
  /**
   * 1 after a process ended while it was visited beside others; 1 more for each that ended while it was visited alone.
   */
  crashes: number;
  /** The address reached, if it is done and was a page. */
  finalUrl: string | null;
  /** Declared canonical address, if this page stands for it. */
  canonical: string | null;
}

/** Persistent state of a crawl. Its methods are called one at a time; when one rejects, the crawl ends with that error. */
export interface CrawlStore {
  /** The saved state, in order of discovery; null for a new crawl. */
  load(): Promise<{ addresses: RememberedAddress[]; facts: CrawlFacts } | null>;
  /** Saves new addresses. */
  found(addresses: KnownAddress[], facts: CrawlFacts): Promise<void>;
  /** Records that a visit is about to begin. @param alone no other address is visited meanwhile */
  begin(address: KnownAddress, alone: boolean): Promise<void>;
  /** Temporary failure: the address is visited later. */
  postpone(address: KnownAddress): Promise<void>;
  /** Slow preparation of saving an outcome. Unlike the other methods, it may be called while another one is running. */
  prepare(address: KnownAddress, result: PageResult): Promise<void>;
  /**
   * Saves the outcome of a page, after `prepare`.
   * @param canonical another address that needs no visit, because this page stands for it
   */
  page(address: KnownAddress, result: PageResult, facts: CrawlFacts, canonical?: string): Promise<void>;
  /** The address needs no further visit, and is not listed. */
  skip(address: KnownAddress, why: SkipReason, facts: CrawlFacts): Promise<void>;
  /** Saves pages that robots.txt disallows: listed pages, and others that are only counted. */
  disallowed(pages: { address: KnownAddress; result: PageResult }[], others: KnownAddress[], facts: CrawlFacts): Promise<void>;
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
    prepare: nothing,
    page: async (_address, result) => onPage(result),
    disallowed: async (pages) => pages.forEach(({ result }) => onPage(result)),
  };
}
