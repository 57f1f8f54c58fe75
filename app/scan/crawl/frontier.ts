import { createBoundedSet } from "./bounded-set";
import { createHeap, type Heap } from "./heap";
import { keyOfParts, pageKey, partsOf, visitAddress, type Site } from "./addresses/address";
import { looksLikePage } from "./addresses/looks-like-page";
import { areOfOneKind, templateOf } from "./addresses/page-kind";
import { isSignOut } from "./addresses/parameters";
import { isExcludedBy } from "./addresses/path-pattern";
import { createTrapWatch, type Trap, type TrapCandidate } from "./traps/trap";

/** An address that may be a page of the site. */
export interface KnownAddress {
  url: string;
  /** Common key of all addresses of the same page (`address.ts`). */
  key: string;
  /** Clicks from the start page; sitemap entries count as 1. */
  depth: number;
  /** Length of the chain of pages of one kind that led here, each found on the one before. */
  chain: number;
  source: "start" | "link" | "sitemap" | "canonical";
  /** The first page found to link to it, or the sitemap that lists it; null if there is none. */
  linkedFrom: string | null;
}

/** Addresses found on one page, or in one sitemap. */
export interface FoundAddresses {
  urls: string[];
  source: KnownAddress["source"];
  /** The page that contains them. */
  from?: KnownAddress;
  /** The sitemap's own address. */
  sitemap?: string;
}

/** The addresses of a site known to a crawl, and the order of their visits. */
export interface Frontier {
  /** Adds addresses found on a page, or in a sitemap; returns the new ones, in their order. */
  add(found: FoundAddresses): KnownAddress[];
  /**
   * Restores the addresses of a store, in their order of discovery.
   * @param taken keys of addresses that need no further visit
   */
  restore(known: KnownAddress[], taken: string[]): void;
  /**
   * The next address to visit, now marked as taken; undefined when none waits. Lower depths come first, and different
   * templates before more of the same.
   */
  next(): KnownAddress | undefined;
  /** Returns an address that was taken but not visited. */
  putBack(address: KnownAddress): void;
  /** Assigns the reached page to a visit; false when another visit already has that page. */
  claim(url: string, by: KnownAddress): boolean;
  /** Is the address excluded by the user, or would it end their session? Excluded addresses are counted. */
  isExcluded(url: string): boolean;
  /** Addresses kept so far. */
  readonly known: number;
  /** Number of them that wait for a visit. */
  readonly waiting: number;
  /** Recognised endless sets of addresses. */
  traps(): Trap[];
  /** Distinct skipped addresses; a minimum if there are very many. */
  skipped(): { files: number; overflow: number; excluded: number };
}

interface Entry {
  address: KnownAddress;
  /** Index in the order of discovery. */
  order: number;
  kind: Kind;
  taken: boolean;
}

/** Addresses made from one template. */
interface Kind {
  waiting: Heap<Entry>;
  taken: number;
  /** Current entry in the queue; earlier ones are invalid. */
  queued: Queued | undefined;
}

/** A template in the queue: its next address is visited when it comes first. */
interface Queued {
  kind: Kind;
  rank: number;
  order: number;
}

const MOST_COUNTED = 20_000;
const MOST_DECIDED = 50_000;
/** Longer addresses are judged each time instead of kept. */
const LONGEST_DECIDED = 300;

export interface FrontierOptions {
  site: Site;
  /** Addresses above this number are counted, but not kept. */
  mostKnown: number;
  /** Path prefixes excluded by the user (`path-pattern.ts`). */
  excludedPaths?: string[];
  /** The pages are visited in a session of the user, which no visit may end. */
  isSignedIn?: boolean;
}

export function createFrontier({ site, mostKnown, excludedPaths = [], isSignedIn = false }: FrontierOptions): Frontier {
  const entries = new Map<string, Entry>();
  /** The visit that owns each page, by keys; a waiting page owns itself. */
  const owners = new Map<string, string>();
  const kinds = new Map<string, Kind>();
  const queue = createHeap<Queued>((a, b) => a.rank < b.rank || (a.rank === b.rank && a.order < b.order));
  const watch = createTrapWatch();
  const files = createBoundedSet(MOST_COUNTED);
  const overflow = createBoundedSet(MOST_COUNTED);
  const excluded = createBoundedSet(MOST_COUNTED);
  const isExcludedByUser = isExcludedBy(excludedPaths);
  /** Linked addresses already decided: every page of a site has many of them. */
  const decided = new Set<string>();
  let waiting = 0;

  function decide(url: string): void {
    if (url.length <= LONGEST_DECIDED && decided.size < MOST_DECIDED) decided.add(url);
  }

  function isExcluded(url: string): boolean {
    if (isSignedIn && isSignOut(url)) return true;
    const isMatch = isExcludedByUser(url);
    if (isMatch) excluded.add(pageKey(url));
    return isMatch;
  }

  function keep(address: KnownAddress, candidate: TrapCandidate): Entry {
    if (address.source !== "start") watch.keep(candidate);
    const template = templateOf(candidate.parts);
    const kind = kinds.get(template) ?? { waiting: createHeap(isNearer), taken: 0, queued: undefined };
    kinds.set(template, kind);
    const entry = { address, order: entries.size, kind, taken: false };
    entries.set(address.key, entry);
    owners.set(address.key, address.key);
    return entry;
  }

  function wait(entry: Entry): void {
    entry.taken = false;
    entry.kind.waiting.push(entry);
    waiting += 1;
    if (entry.kind.waiting.peek() === entry) enqueue(entry.kind);
  }

  /** Queues a template by the rank of its current next address. */
  function enqueue(kind: Kind): void {
    let first = kind.waiting.peek();
    for (; first?.taken; first = kind.waiting.peek()) kind.waiting.pop();
    kind.queued = first && {
      kind,
      rank: first.address.depth + Math.log2(1 + kind.taken),
      order: first.order,
    };
    if (kind.queued) queue.push(kind.queued);
  }

  function take(entry: Entry): void {
    entry.taken = true;
    waiting -= 1;
  }

  return {
    add({ urls, source, from, sitemap }) {
      const found: KnownAddress[] = [];
      const origin = from && partsOf(from.url);
      for (const url of urls) {
        if (decided.has(url)) continue;
        if (!site.includes(url)) {
          decide(url);
          continue;
        }
        const parts = partsOf(url);
        const key = keyOfParts(parts);
        if (owners.has(key)) {
          decide(url);
          continue;
        }
        const chain = from && origin && areOfOneKind(origin, parts) ? from.chain + 1 : 0;
        const candidate = { url, key, parts, chain, listed: source === "sitemap" };
        if (source !== "start") {
          // Sitemap entries are pages according to the site itself, whatever their extension.
          if (source !== "sitemap" && !looksLikePage(url)) {
            files.add(key);
            continue;
          }
          if (isExcluded(url)) {
            decide(url);
            continue;
          }
          if (watch.isTrapped(candidate)) continue;
        }
        if (entries.size >= mostKnown) {
          overflow.add(key);
          continue;
        }
        const linkedFrom = sitemap ?? ((source === "link" && from?.url) || null);
        const address = { url: visitAddress(url), key, depth: depthOf(source, from), chain, source, linkedFrom };
        wait(keep(address, candidate));
        found.push(address);
      }
      return found;
    },

    restore(known, taken) {
      const done = new Set(taken);
      for (const address of known) {
        const { url, key, chain, source } = address;
        const entry = keep(address, { url, key, parts: partsOf(url), chain, listed: source === "sitemap" });
        entry.taken = done.has(key);
        if (entry.taken) entry.kind.taken += 1;
        else wait(entry);
      }
      // Addresses taken later also change the ranks of all earlier ones.
      for (const kind of kinds.values()) enqueue(kind);
    },

    next() {
      for (let queued = queue.pop(); queued; queued = queue.pop()) {
        const { kind } = queued;
        if (queued !== kind.queued) continue;
        const entry = kind.waiting.peek();
        if (entry && !entry.taken) {
          kind.waiting.pop();
          kind.taken += 1;
          take(entry);
          enqueue(kind);
          return entry.address;
        }
        enqueue(kind);
      }
      return undefined;
    },

    putBack({ key }) {
      const entry = entries.get(key);
      if (!entry?.taken) return;
      entry.kind.taken -= 1;
      wait(entry);
      enqueue(entry.kind);
    },

    claim(url, by) {
      const key = pageKey(url);
      const owner = owners.get(key);
      if (owner === by.key) return true;
      const entry = entries.get(key);
      const isFree = owner === undefined || (owner === key && entry?.taken === false);
      if (!isFree) return false;
      owners.set(key, by.key);
      if (entry) take(entry);
      return true;
    },

    isExcluded,

    get known() {
      return entries.size;
    },
    get waiting() {
      return waiting;
    },
    traps: () => watch.traps(),
    skipped: () => ({ files: files.size, overflow: overflow.size, excluded: excluded.size }),
  };
}

const isNearer = (a: Entry, b: Entry) =>
  a.address.depth < b.address.depth || (a.address.depth === b.address.depth && a.order < b.order);

function depthOf(source: KnownAddress["source"], from: KnownAddress | undefined): number {
  if (source === "start") return 0;
  if (source === "sitemap" || !from) return 1;
  return source === "canonical" ? from.depth : from.depth + 1;
}
