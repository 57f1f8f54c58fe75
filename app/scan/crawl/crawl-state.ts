import { setImmediate as yieldToOtherTasks } from "node:timers/promises";
import type { PageResult } from "~/scan/types";
import { unvisitedPage } from "~/scan/unvisited-page";
import { currentFacts, MOST_DISALLOWED_LISTED, MOST_ELSEWHERE_LISTED, noFacts, type CrawlFacts } from "./facts";
import type { FoundAddresses, Frontier, KnownAddress } from "./frontier";
import type { CrawlStore, RememberedAddress, SkipReason } from "./store";

/** State of a crawl. Each change is saved in its store, one after the other. */
export interface CrawlState {
  readonly facts: CrawlFacts;
  /** Pages being visited. */
  readonly open: Set<KnownAddress>;
  /** Pages whose visit was interrupted by the end of a process: each is visited alone, after all others. */
  readonly crashSuspects: KnownAddress[];
  /** Restores the state of an earlier process; undefined if there is none. */
  restore(): Promise<{ start?: RememberedAddress } | undefined>;
  /** Adds addresses to the frontier. */
  add(found: FoundAddresses): void;
  /** Records the start of a visit. */
  begin(address: KnownAddress, alone: boolean): Promise<void>;
  /** Temporary failure: the address is visited later. */
  postpone(address: KnownAddress, alone: boolean): Promise<void>;
  /** The outcome of a page. @param canonical another address that this page stands for */
  keep(address: KnownAddress, result: PageResult, canonical?: string): Promise<void>;
  /** The address is not one of the site's pages. */
  skip(address: KnownAddress, why: SkipReason): Promise<void>;
  /** The address led to another site: not a page of this one, but its target is reported. */
  leadElsewhere(address: KnownAddress, finalUrl: string): Promise<void>;
  /** Pages that robots.txt disallows. */
  disallow(addresses: KnownAddress[]): Promise<void>;
  /** The facts when the crawl has ended. */
  finalFacts(): CrawlFacts;
  /** Time that the crawl has taken so far, in ms, without pauses between a stop and a restart. */
  workedMs(): number;
  /** Resolves when all changes so far are saved. */
  saved(): Promise<void>;
  /** Saves the facts. */
  save(): Promise<void>;
}

export interface CrawlStateOptions {
  store: CrawlStore;
  frontier: Frontier;
  maxPages: number;
  /** Called when there are new addresses. */
  onFound: () => void;
  /** Called when a write failed; nothing is written after that. */
  onError: (error: unknown) => void;
}

/** Limit for an address in the facts, which are stored with each page. */
const LONGEST_URL = 2_048;
/** Number of disallowed addresses stored at once. */
const AT_ONCE = 500;
/**
 * Crashes after which a page is given up: the first beside other pages, all later ones alone. Times the number of suspected
 * pages, at most five: if crashes hit several pages, the cause is probably outside of them.
 */
const MOST_CRASHES = 10;
const MOST_SUSPECTS = 5;

export function createCrawlState({ store, frontier, maxPages, onFound, onError }: CrawlStateOptions): CrawlState {
  const facts = noFacts(maxPages);
  const began = performance.now();
  /** Time before a restart. */
  let earlierMs = 0;
  const open = new Set<KnownAddress>();
  const crashSuspects: KnownAddress[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** Writes run one after the other, so that an address is saved before its visit. */
  function write(task: () => Promise<void>): Promise<void> {
    writing = writing.then(task);
    writing.catch(onError);
    return writing;
  }

  function latestFacts(): CrawlFacts {
    return { ...finalFacts(), workedMs: workedMs() };
  }

  function finalFacts(): CrawlFacts {
    const { workedMs: _, ...final } = currentFacts(facts, frontier, { open: open.size, crashSuspects: crashSuspects.length });
    return final;
  }

  function workedMs(): number {
    return Math.round(earlierMs + performance.now() - began);
  }

  async function keep(address: KnownAddress, result: PageResult, canonical?: string): Promise<void> {
    await store.prepare(address, result);
    const page = { ...result, linkedFrom: address.linkedFrom ?? undefined };
    // Counted with its own write: an earlier one must not store the count of a page that is not stored yet.
    await write(() => {
      facts.pages += 1;
      open.delete(address);
      return store.page(address, page, latestFacts(), canonical);
    });
  }

  async function skip(address: KnownAddress, why: SkipReason, also = () => {}): Promise<void> {
    await write(() => {
      // The frontier counts addresses excluded by the user.
      if (why !== "excluded") facts.skipped[why === "not_page" ? "notPage" : why] += 1;
      also();
      return store.skip(address, why, latestFacts());
    });
  }

  return {
    facts,
    open,
    crashSuspects,
    keep,
    skip,
    finalFacts,
    workedMs,
    saved: () => writing,
    save: () => write(() => store.found([], latestFacts())),

    async restore() {
      const memory = await store.load();
      if (!memory) return undefined;
      earlierMs = memory.facts.workedMs ?? 0;
      Object.assign(facts, memory.facts, { maxPages, limited: false, crawlDelayMs: 0 });
      const done = memory.addresses.filter(({ isDone }) => isDone);
      const suspected = memory.addresses.filter(({ isDone, crashes }) => !isDone && crashes > 0);
      frontier.restore(
        memory.addresses.map(({ address }) => address),
        [...done, ...suspected].map(({ address }) => address.key),
      );
      for (const { address, finalUrl, canonical } of done) {
        if (finalUrl) frontier.claim(finalUrl, address);
        if (canonical) frontier.claim(canonical, address);
      }
      for (const { address, crashes } of suspected) {
        if (crashes < MOST_CRASHES * Math.min(MOST_SUSPECTS, suspected.length)) crashSuspects.push(address);
        else await keep(address, unvisitedPage(address.url, "crashed", { technical: "the scanner ended while it was visited" }));
      }
      return { start: memory.addresses.find(({ address }) => address.source === "start") };
    },

    add(found) {
      const fresh = frontier.add(found);
      if (fresh.length === 0) return;
      void write(() => store.found(fresh, latestFacts())).catch(() => {});
      onFound();
    },

    begin: (address, alone) => write(() => store.begin(address, alone)),

    async postpone(address, alone) {
      await write(() => store.postpone(address));
      if (alone) crashSuspects.push(address);
      else frontier.putBack(address);
    },

    /** Counts all, lists only the first ones. */
    async leadElsewhere(address, finalUrl) {
      const { url, linkedFrom } = address;
      await skip(address, "elsewhere", () => {
        const known = facts.elsewhere ?? [];
        if (known.length < MOST_ELSEWHERE_LISTED) facts.elsewhere = [...known, { url, finalUrl: finalUrl.slice(0, LONGEST_URL), linkedFrom }];
      });
    },

    /** Counts all, lists only the first ones: there may be very many. */
    async disallow(addresses) {
      const listed = addresses.slice(0, Math.max(0, MOST_DISALLOWED_LISTED - facts.disallowed));
      const pages = listed.map((address) => ({
        address,
        result: { ...unvisitedPage(address.url, "robots"), linkedFrom: address.linkedFrom ?? undefined },
      }));
      if (pages.length > 0) {
        await write(() => {
          facts.disallowed += pages.length;
          return store.disallowed(pages, [], latestFacts());
        });
      }
      for (let start = listed.length; start < addresses.length; start += AT_ONCE) {
        const others = addresses.slice(start, start + AT_ONCE);
        await write(() => {
          facts.disallowed += others.length;
          return store.disallowed([], others, latestFacts());
        });
        await yieldToOtherTasks();
      }
    },
  };
}
