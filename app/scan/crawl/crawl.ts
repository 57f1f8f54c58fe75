import { setImmediate as breathe } from "node:timers/promises";
import type { Arrival, PageResult, Reason, Scanner, Standard } from "~/scan/types";
import { createBell } from "./bell";
import { currentFacts, noFacts } from "./facts";
import { createFrontier, type KnownAddress } from "./frontier";
import type { Pace, Paces } from "./pace";
import { createRobotsBook } from "./robots-book";
import { siteOf } from "./site";
import type { SiteFetch } from "./site-fetch";
import { readSitemaps } from "./sitemap";
import type { CrawlFacts, CrawlStore, Skip } from "./store";
import { browserDied, isNoPage, isStrain, isVariant, unchecked, unreadable } from "./verdict";

export interface CrawlOrder {
  /** The start page; it says which site is meant. */
  url: string;
  standard: Standard;
  signal?: AbortSignal;
}

export interface CrawlOptions {
  scanner: Pick<Scanner, "check" | "parallel">;
  fetch: SiteFetch;
  /** Shared by all crawls, so that two of one site press it no harder than one. */
  paces: Paces;
  userAgent: string;
  /** The most pages that get an outcome. */
  maxPages: number;
}

/** More at once would strain small sites. */
const MOST_PARALLEL = 4;
/** Visits of one address while the site says that it is too much. */
const MOST_TRIES = 3;
/** The same while browsers die, each of which the scanner has tried twice itself. */
const MOST_TRIES_OF_BROWSERS = 6;
/** As often as this process may die while an address is visited; as with any job, that may be chance. */
const MOST_DEATHS = 10;
/** Visits that turned out to be none of a page, for each page that may be checked. */
const VISITS_PER_PAGE = 3;
/** Addresses kept for each page that may be checked, so that there is a choice. */
const KNOWN_PER_PAGE = 5;
const FEWEST_KNOWN = 5_000;

const SITEMAP_SLICE = 1_000;
const SITEMAP_LIMITS = { mostUrls: 50_000, mostFiles: 50, depth: 3 };

/** With these, the site has no other page either. */
const NO_SITE: Reason[] = ["invalid_url", "blocked_address", "dns", "refused", "tls", "timeout", "robots"];

/** The crawl does not want this document, or may not have it. */
class Left extends Error {
  constructor(readonly why: Skip | "robots") {
    super(`left the page: ${why}`);
  }
}

/**
 * Checks the pages of a site: finds them from the start page's links, from sitemaps and canonical addresses, obeys
 * robots.txt, and keeps each step in the store, so that a crawl that was cut off goes on where it was.
 * Resolves with what is to be said besides the pages; rejects with the signal's reason, or with what the store threw.
 */
export async function crawl(order: CrawlOrder, store: CrawlStore, options: CrawlOptions): Promise<CrawlFacts> {
  const { scanner, maxPages } = options;
  const ended = new AbortController();
  const signal = order.signal ? AbortSignal.any([order.signal, ended.signal]) : ended.signal;
  const bell = createBell();
  signal.addEventListener("abort", bell.ring);

  const site = siteOf(order.url);
  const frontier = createFrontier({ site, mostKnown: Math.max(FEWEST_KNOWN, maxPages * KNOWN_PER_PAGE) });
  const robots = createRobotsBook({ ...options, signal });
  const underWay = new Set<Promise<void>>();
  const tries = new Map<string, number>();
  const facts = noFacts(maxPages);
  const open = new Set<KnownAddress>();
  let visits = 0;
  let writing: Promise<void> = Promise.resolve();
  let discovery: Promise<void> | undefined;

  try {
    const suspects = await remember();
    const own = await robots.of(order.url);
    facts.robots = own.state;
    facts.crawlDelayMs = own.crawlDelayMs;
    if (!suspects) add([order.url], "start");
    const pace = options.paces.of(order.url, {
      parallel: Math.min(scanner.parallel, MOST_PARALLEL),
      delayMs: own.crawlDelayMs,
    });

    for (const suspect of suspects ?? []) await visit(suspect, pace, await pace.enter(signal));
    for (;;) {
      signal.throwIfAborted();
      if (mayBegin()) {
        const leave = await pace.enter(signal);
        // Much may have happened meanwhile.
        const address = mayBegin() ? await nextAllowed() : undefined;
        if (address) underTake(visit(address, pace, leave));
        else leave();
      } else if (underWay.size > 0) await bell.heard();
      else break;
    }
    await writing;
    return latestFacts();
  } catch (error) {
    order.signal?.throwIfAborted();
    // What went wrong elsewhere is why this was cut off.
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    ended.abort();
    await Promise.allSettled(underWay);
  }

  /**
   * Takes up what an earlier process has kept; undefined when there is nothing. Answers with pages on which processes
   * have died before: each is to be visited alone, so that only the one that is to blame is given up.
   */
  async function remember(): Promise<KnownAddress[] | undefined> {
    const memory = await store.load();
    if (!memory) return undefined;
    Object.assign(facts, memory.facts, { maxPages });
    const done = memory.addresses.filter(({ state }) => state === "done");
    const suspects = memory.addresses.filter(({ state, attempts }) => state === "open" && attempts > 1);
    const deadly = suspects.filter(({ attempts }) => attempts >= MOST_DEATHS);
    frontier.restore(
      memory.addresses.map(({ address }) => address),
      [...done, ...suspects].map(({ address }) => address.key),
    );
    for (const { address, finalUrl } of done) if (finalUrl) frontier.claim(finalUrl, address);
    for (const { address } of deadly) {
      facts.pages += 1;
      await store.page(address, unchecked(address, "crashed", "the scanner ended while it was visited"), facts);
    }
    const start = memory.addresses.find(({ address }) => address.source === "start");
    if (start?.state === "done" && !facts.ledElsewhere) discover(start.finalUrl ?? order.url);
    return suspects.filter((each) => !deadly.includes(each)).map(({ address }) => address);
  }

  function mayBegin(): boolean {
    return (
      frontier.waiting > 0 &&
      !facts.stopped &&
      facts.pages + open.size < maxPages &&
      open.size < scanner.parallel &&
      visits < maxPages * VISITS_PER_PAGE
    );
  }

  /** The next address that robots.txt does not keep us from. */
  async function nextAllowed(): Promise<KnownAddress | undefined> {
    const excluded: KnownAddress[] = [];
    let allowed: KnownAddress | undefined;
    for (let next = frontier.next(); next && !allowed; next = allowed ? undefined : frontier.next()) {
      const book = await robots.of(next.url);
      // Whether robots.txt is silent or the whole site, the start page tells.
      const isOpen = book.allows(next.url) || (next.source === "start" && book.state === "unreachable");
      if (isOpen) allowed = next;
      else excluded.push(next);
    }
    if (excluded.length > 0) {
      facts.excluded += excluded.length;
      const listed = excluded.map((address) => ({ address, result: unchecked(address, "robots") }));
      await write(() => store.excluded(listed, latestFacts()));
    }
    return allowed;
  }

  /** What fails here ends the crawl. */
  function underTake(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => ended.abort(error))
      .finally(() => {
        underWay.delete(watched);
        bell.ring();
      });
    underWay.add(watched);
  }

  async function visit(address: KnownAddress, pace: Pace, leave: () => void): Promise<void> {
    visits += 1;
    open.add(address);
    await write(() => store.begin(address));
    const page = new AbortController();
    try {
      const result = await scanner.check({
        url: address.url,
        standard: order.standard,
        priority: "background",
        signal: AbortSignal.any([signal, page.signal]),
        onArrival: (arrival) => {
          const unwanted = arrived(address, arrival);
          if (unwanted) page.abort(new Left(unwanted));
        },
      });
      await finish(address, result, pace);
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      pace.fine();
      if (error.why === "robots") await keep(address, unreadable(address));
      else await skip(address, error.why);
    } finally {
      open.delete(address);
      leave();
    }
  }

  /** Looks at a document before it is analysed: is it wanted, and where does it lead? */
  function arrived(address: KnownAddress, { url, canonical, links }: Arrival): Skip | "robots" | undefined {
    if (facts.robots === "unreachable") return "robots";
    if (!site.includes(url)) {
      if (address.source !== "start") return "elsewhere";
      facts.ledElsewhere = url;
      return undefined;
    }
    if (!frontier.claim(url, address)) return "duplicate";
    // A variant of a page, by its own word; other canonical addresses are wrong too often to leave a page out.
    if (canonical && isVariant(url, canonical) && !frontier.claim(canonical, address)) return "duplicate";
    if (canonical) add([canonical], "canonical", address);
    add(links, "link", address);
    if (address.source === "start") discover(url);
    return undefined;
  }

  async function finish(address: KnownAddress, result: PageResult, pace: Pace) {
    if (isStrain(result)) pace.trouble(result.detail.retryAfterMs);
    else pace.fine();
    facts.stopped ||= pace.hopeless();
    if (mayTryAgain(address, result)) {
      await write(() => store.postpone(address));
      frontier.putBack(address);
      return;
    }

    const isStart = address.source === "start";
    if (!isStart && isNoPage(result)) return skip(address, "not_page");
    if (isStart && result.status === "failed" && !NO_SITE.includes(result.reason)) discover(order.url);
    await keep(address, (await forbidden(address, result)) ?? result);
  }

  function mayTryAgain({ key }: KnownAddress, result: PageResult): boolean {
    const most = isStrain(result) ? MOST_TRIES : browserDied(result) ? MOST_TRIES_OF_BROWSERS : 0;
    const tried = (tries.get(key) ?? 0) + 1;
    tries.set(key, tried);
    return tried < most && !facts.stopped;
  }

  async function keep(address: KnownAddress, result: PageResult): Promise<void> {
    facts.pages += 1;
    open.delete(address);
    await write(() => store.page(address, result, latestFacts()));
  }

  /** A page that led to one which robots.txt keeps us from; of its origin, that may not have been known before. */
  async function forbidden(address: KnownAddress, { status, finalUrl }: PageResult): Promise<PageResult | undefined> {
    if (status === "failed" || !site.includes(finalUrl)) return undefined;
    const book = await robots.of(finalUrl);
    if (book.allows(finalUrl)) return undefined;
    return book.state === "unreachable" ? unreadable(address) : unchecked(address, "robots");
  }

  async function skip(address: KnownAddress, why: Skip): Promise<void> {
    facts.skipped[why === "not_page" ? "notPage" : why] += 1;
    await write(() => store.skip(address, why, latestFacts()));
  }

  /** Reads the sitemaps, while pages are being visited. */
  function discover(url: string): void {
    if (discovery || facts.sitemaps) return;
    discovery = readAll(new URL(url).origin);
    underTake(discovery);
  }

  async function readAll(origin: string): Promise<void> {
    const named = (await robots.of(origin)).sitemaps;
    const starts = [...new Set([...named, `${origin}/sitemap.xml`])];
    const { urls, ...report } = await readSitemaps(starts, { ...options, ...SITEMAP_LIMITS, site, signal });
    facts.sitemaps = { ...report, urls: urls.length };
    for (let first = 0; first < urls.length; first += SITEMAP_SLICE) {
      add(urls.slice(first, first + SITEMAP_SLICE), "sitemap");
      // To judge fifty thousand addresses takes a while, in which others want to be served.
      await breathe();
    }
  }

  function add(urls: string[], source: KnownAddress["source"], from?: KnownAddress): void {
    const found = frontier.add({ urls, source, from });
    if (found.length === 0) return;
    void write(() => store.found(found, latestFacts())).catch(() => {});
    bell.ring();
  }

  /** One after the other, so that what is found is kept before it is visited; after a failure, nothing more. */
  function write(task: () => Promise<void>): Promise<void> {
    writing = writing.then(task);
    writing.catch((error: unknown) => ended.abort(error));
    return writing;
  }

  function latestFacts(): CrawlFacts {
    return currentFacts(facts, frontier, open.size);
  }
}
