import type { Frontier } from "./frontier";
import { trapKey, type Trap } from "./traps/trap";

/** Maximum of listed pages that robots.txt disallows; the others are only counted. */
export const MOST_DISALLOWED_LISTED = 100;

/** Maximum of listed addresses that led to another site; the others are only counted. */
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
  disallowed: number;
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
    excluded?: number;
  };
  /** The first of the addresses that led to another site; undefined for none. */
  elsewhere?: LedElsewhere[];
  traps: Trap[];
  /** Undefined until the sitemaps have been read. */
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
  /** Time that the crawl has taken, without pauses between a stop and a restart; undefined when it has ended. */
  workedMs?: number;
}

/** Facts in the database and the JSON of a run, where two have other names. */
export interface StoredFacts extends Omit<CrawlFacts, "disallowed" | "skipped"> {
  /** Name of `disallowed`. */
  excluded: number;
  skipped: Omit<CrawlFacts["skipped"], "excluded"> & {
    /** Name of `excluded`. */
    leftOut?: number;
  };
}

export function toStoredFacts({ disallowed, skipped: { excluded, ...skipped }, ...facts }: CrawlFacts): StoredFacts {
  return { ...facts, excluded: disallowed, skipped: { ...skipped, ...(excluded !== undefined && { leftOut: excluded }) } };
}

export function fromStoredFacts({ excluded, skipped: { leftOut, ...skipped }, ...facts }: StoredFacts): CrawlFacts {
  return { ...facts, disallowed: excluded, skipped: { ...skipped, ...(leftOut !== undefined && { excluded: leftOut }) } };
}

/** Facts of a new crawl. */
export function noFacts(maxPages: number): CrawlFacts {
  return {
    pages: 0,
    known: 0,
    waiting: 0,
    maxPages,
    limited: false,
    robots: "none",
    crawlDelayMs: 0,
    disallowed: 0,
    skipped: { files: 0, notPage: 0, elsewhere: 0, duplicate: 0, overflow: 0 },
    traps: [],
    ledElsewhere: null,
    stopped: false,
  };
}

/**
 * The facts to save with the next step.
 * @param open number of pages being visited
 * @param crashSuspects number of pages waiting to be visited alone
 */
export function currentFacts(facts: CrawlFacts, frontier: Frontier, { open, crashSuspects }: { open: number; crashSuspects: number }): CrawlFacts {
  const waiting = frontier.waiting + crashSuspects;
  const { skipped } = facts;
  const { files, overflow, excluded } = frontier.skipped();
  const allExcluded = Math.max(skipped.excluded ?? 0, excluded);
  return {
    ...facts,
    known: facts.pages + open + waiting,
    waiting,
    limited: facts.limited || (facts.pages >= facts.maxPages && waiting > 0),
    // After a restart, the skipped addresses are unknown; the maximum avoids counting them twice.
    skipped: {
      ...skipped,
      files: Math.max(skipped.files, files),
      overflow: Math.max(skipped.overflow, overflow),
      ...(allExcluded > 0 && { excluded: allExcluded }),
    },
    traps: withEarlier(facts.traps, frontier.traps()),
  };
}

function withEarlier(earlier: Trap[], traps: Trap[]): Trap[] {
  const all = new Map([...earlier, ...traps].map((trap) => [trapKey(trap), trap]));
  for (const trap of earlier) {
    const later = all.get(trapKey(trap));
    if (later && later.count < trap.count) all.set(trapKey(trap), trap);
  }
  return [...all.values()];
}
