import { setImmediate as breathe } from "node:timers/promises";
import type { Arrival, PageRequest, PageResult, Scanner } from "~/scan/types";
import { createAsyncSignal } from "./async-signal";
import { currentFacts, noFacts } from "./facts";
import { createFrontier, type FoundAddresses, type KnownAddress } from "./frontier";
import { PageSkipped, type SkipReason } from "./page-skipped";
import { limitsOf } from "./limits";
import type { HostThrottle, HostThrottles } from "./host-throttle";
import type { Robots } from "./files/robots";
import { createRobotsCache } from "./files/robots-cache";
import { siteOf } from "./site";
import { fetchWithAccess, type SiteFetch } from "./site-fetch";
import { readSitemaps } from "./files/sitemap";
import { MOST_ELSEWHERE_LISTED, MOST_EXCLUDED_LISTED, type CrawlFacts, type CrawlStore } from "./store";
import { hasOtherPages, isAboutAnotherSite, isNoPage, isVariant, troubleOf, unchecked, unreadable, type Trouble } from "./verdict";

export interface CrawlRequest extends Pick<PageRequest, "standard" | "access" | "pictures" | "waitMs" | "waitFor" | "party" | "signal"> {
  /** The start page; it determines the site. */
  url: string;
  /** Maximum number of pages with an outcome; never more than `CrawlOptions.maxPages`. */
  maxPages?: number;
  /** Path prefixes excluded by the user (`exclude-paths.ts`); they do not apply to the start page. */
  leftOut?: string[];
  /** Start of the crawl, if not now: Unix time in ms. */
  startedAt?: number;
  /** Called when the crawl waits because of the site's rate limit; the returned function is called when it continues. */
  onWait?: () => () => void;
}

export interface CrawlOptions {
  scanner: Pick<Scanner, "check" | "parallel">;
  fetch: SiteFetch;
  /** Shared by all crawls, so that two crawls of one site cause no more load than one. */
  paces: HostThrottles;
  userAgent: string;
  /** Maximum number of pages with an outcome in any crawl. */
  maxPages: number;
  /** Time limit in minutes; the crawl then ends with its results so far; undefined or 0 for no limit. */
  mostMinutes?: number;
}

/**
 * Crashes after which a page is given up: the first beside other pages, all later ones alone. Times the number of suspected
 * pages, at most five: if crashes hit several pages, the cause is probably outside of them.
 */
const MOST_DEATHS = 10;
const MOST_SUSPECTS = 5;

const SITEMAP_SLICE = 1_000;
const SITEMAP_LIMITS = { mostUrls: 50_000, mostFiles: 50, depth: 3 };

/**
 * Checks the pages of a site: finds them through the start page's links, sitemaps and canonical addresses, obeys
 * robots.txt, and saves each step in the store, so that an interrupted crawl continues where it stopped.
 * Resolves with the facts besides the pages; rejects with the signal's reason, or with the store's error.
 */
export async function crawl(order: CrawlRequest, store: CrawlStore, options: CrawlOptions): Promise<CrawlFacts> {
  const { scanner } = options;
  const maxPages = Math.min(order.maxPages ?? options.maxPages, options.maxPages);
  const fetch = fetchWithAccess(options.fetch, order.access);
  const ended = new AbortController();
  const signal = order.signal ? AbortSignal.any([order.signal, ended.signal]) : ended.signal;
  /** Aborted when no further page may start, so no more addresses are needed. */
  const enough = new AbortController();
  const bell = createAsyncSignal();
  signal.addEventListener("abort", bell.set);

  const site = siteOf(order.url);
  const { parallel, mostVisits, mostKnown } = limitsOf(maxPages, scanner.parallel);
  const frontier = createFrontier({ site, mostKnown, leftOut: order.leftOut });
  const robots = createRobotsCache({ ...options, fetch, signal });
  const underWay = new Set<Promise<void>>();
  const tries = new Map<string, number>();
  /** Canonical addresses that pages also stand for, by the pages' keys. */
  const canonicals = new Map<string, string>();
  const facts = noFacts(maxPages);
  const open = new Set<KnownAddress>();
  /** Pages in a visit when a process ended: each is visited alone, after all others. */
  const suspects: KnownAddress[] = [];
  const timeIsUp = new AbortController();
  const timer = endIn(options.mostMinutes, order.startedAt);
  let waitsForPace = false;
  let goOn: (() => void) | undefined;
  let visits = 0;
  let writing: Promise<void> = Promise.resolve();
  let discovery: Promise<void> | undefined;

  try {
    const isNew = !(await remember());
    facts.robots = (await rulesOf(order.url)).state;
    if (isNew) add({ urls: [order.url], source: "start" });
    const pace = options.paces.of(order.url, { parallel, delayMs: facts.crawlDelayMs });

    for (;;) {
      signal.throwIfAborted();
      const suspect = mayVisitAlone() ? suspects.shift() : undefined;
      if (suspect) {
        const leave = await enter(pace);
        if (leave) await visit(suspect, pace, leave, true);
        else suspects.unshift(suspect);
      } else if (mayBegin()) {
        pace.adjust({ parallel, delayMs: facts.crawlDelayMs });
        const leave = await enter(pace);
        // Checked again after the wait.
        const address = leave && mayBegin() ? await nextAllowed() : undefined;
        if (leave && address) underTake(visit(address, pace, leave));
        else leave?.();
      } else if (underWay.size > 0) {
        if (isFull() && open.size === 0) enough.abort();
        await bell.wait();
      } else break;
    }
    await writing;
    facts.limited ||= frontier.waiting + suspects.length > 0 && !facts.stopped && facts.timeLimit === undefined;
    return latestFacts();
  } catch (error) {
    order.signal?.throwIfAborted();
    // An error elsewhere caused this abort.
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    clearTimeout(timer);
    ended.abort();
    await Promise.allSettled(underWay);
  }

  /** No new page starts after that; open ones are finished. */
  function endIn(minutes = 0, startedAt = Date.now()): NodeJS.Timeout | undefined {
    if (minutes === 0) return undefined;
    const end = () => {
      facts.timeLimit = minutes;
      timeIsUp.abort();
      bell.set();
    };
    const leftMs = startedAt + minutes * 60_000 - Date.now();
    return leftMs > 0 ? setTimeout(end, leftMs) : void end();
  }

  /** Restores the state of an earlier process; false if there is none. */
  async function remember(): Promise<boolean> {
    const memory = await store.load();
    if (!memory) return false;
    Object.assign(facts, memory.facts, { maxPages, limited: false, crawlDelayMs: 0 });
    const done = memory.addresses.filter(({ isDone }) => isDone);
    const mayBeDeadly = memory.addresses.filter(({ isDone, deaths }) => !isDone && deaths > 0);
    frontier.restore(
      memory.addresses.map(({ address }) => address),
      [...done, ...mayBeDeadly].map(({ address }) => address.key),
    );
    for (const { address, finalUrl, canonical } of done) {
      if (finalUrl) frontier.claim(finalUrl, address);
      if (canonical) frontier.claim(canonical, address);
    }
    for (const { address, deaths } of mayBeDeadly) {
      if (deaths < MOST_DEATHS * Math.min(MOST_SUSPECTS, mayBeDeadly.length)) suspects.push(address);
      else await keep(address, unchecked(address, "crashed", "the scanner ended while it was visited"));
    }
    const start = memory.addresses.find(({ address }) => address.source === "start");
    if (start?.isDone && !facts.ledElsewhere) discover(start.finalUrl ?? order.url);
    return true;
  }

  /** Other pages come first. They must not take the suspect's place in the page limit. */
  function mayVisitAlone(): boolean {
    return !mayBegin() && underWay.size === 0 && !isOver() && visits < mostVisits;
  }

  /** Waits until one more page may be requested from the site; undefined when the time limit ends first. */
  async function enter(pace: HostThrottle): Promise<(() => void) | undefined> {
    waitsForPace = true;
    tellWhetherIdle();
    try {
      // At least one page per site is checked, even after the time limit.
      return await pace.enter(facts.pages > 0 ? AbortSignal.any([signal, timeIsUp.signal]) : signal);
    } catch (error) {
      signal.throwIfAborted();
      if (timeIsUp.signal.aborted) return undefined;
      throw error;
    } finally {
      waitsForPace = false;
      tellWhetherIdle();
    }
  }

  /** Other work may run while the site's rate limit blocks this crawl. */
  function tellWhetherIdle(): void {
    const isIdle = waitsForPace && open.size === 0;
    if (isIdle) goOn ??= order.onWait?.();
    else goOn = void goOn?.();
  }

  function isOver(): boolean {
    return facts.stopped || (facts.timeLimit !== undefined && facts.pages > 0);
  }

  function mayBegin(): boolean {
    return frontier.waiting > 0 && open.size < scanner.parallel && !isFull();
  }

  function isFull(): boolean {
    return isOver() || facts.pages + open.size + suspects.length >= maxPages || visits >= mostVisits;
  }

  /** The robots.txt rules for an address; each origin of the site has its own, and the longest delay applies to all. */
  async function rulesOf(url: string): Promise<Robots> {
    const rules = await robots.of(url);
    facts.crawlDelayMs = Math.max(facts.crawlDelayMs, rules.crawlDelayMs);
    return rules;
  }

  /** The next address that robots.txt allows. */
  async function nextAllowed(): Promise<KnownAddress | undefined> {
    const excluded: KnownAddress[] = [];
    let allowed: KnownAddress | undefined;
    for (let next = frontier.next(); next && !allowed; next = allowed ? undefined : frontier.next()) {
      const book = await rulesOf(next.url);
      // The start page shows whether only robots.txt is unreachable or the whole site.
      const isOpen = book.allows(next.url) || (next.source === "start" && book.state === "unreachable");
      if (isOpen) allowed = next;
      else excluded.push(next);
    }
    if (excluded.length > 0) await leaveOut(excluded);
    return allowed;
  }

  /** Counts all disallowed pages, but lists only the first: there may be very many. */
  async function leaveOut(excluded: KnownAddress[]): Promise<void> {
    const listed = excluded.slice(0, Math.max(0, MOST_EXCLUDED_LISTED - facts.excluded));
    const pages = listed.map((address) => ({
      address,
      result: { ...unchecked(address, "robots"), linkedFrom: address.linkedFrom ?? undefined },
    }));
    facts.excluded += listed.length;
    if (pages.length > 0) await write(() => store.excluded(pages, latestFacts()));
    for (const address of excluded.slice(listed.length)) {
      facts.excluded += 1;
      await write(() => store.skip(address, "excluded", latestFacts()));
    }
  }

  /** A failure here ends the crawl. */
  function underTake(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => ended.abort(error))
      .finally(() => {
        underWay.delete(watched);
        bell.set();
      });
    underWay.add(watched);
  }

  async function visit(address: KnownAddress, pace: HostThrottle, leave: () => void, alone = false): Promise<void> {
    visits += 1;
    open.add(address);
    const page = new AbortController();
    let hasArrived = false;
    let following: Promise<void> = Promise.resolve();
    try {
      const result = await scanner.check({
        url: address.url,
        standard: order.standard,
        access: order.access,
        pictures: order.pictures,
        waitMs: order.waitMs,
        waitFor: order.waitFor,
        priority: "background",
        party: order.party,
        alone,
        onBegin: () => write(() => store.begin(address, alone)),
        signal: AbortSignal.any([signal, page.signal]),
        onArrival: (arrival) => {
          hasArrived = true;
          const unwanted = arrived(address, arrival);
          following = follow(address, arrival);
          following.catch(() => {});
          if (unwanted) page.abort(new PageSkipped(unwanted, arrival.url));
        },
      });
      // Links are saved before the outcome: a page with an outcome is not visited again.
      await following;
      await finish(address, result, { pace, hasArrived, alone });
    } catch (error) {
      if (!(error instanceof PageSkipped)) throw error;
      pace.recordSuccess();
      await following;
      if (error.why === "robots") await keep(address, { ...unreadable(address), finalUrl: error.reached });
      else if (error.why === "elsewhere") await leadElsewhere(address, error.reached);
      else await skip(address, error.why);
    } finally {
      open.delete(address);
      tellWhetherIdle();
      leave();
    }
  }

  /** Checks before its analysis whether a document is wanted. */
  function arrived(address: KnownAddress, { url, canonical }: Arrival): SkipReason | "robots" | undefined {
    if (facts.robots === "unreachable") return "robots";
    if (!site.includes(url)) {
      if (address.source !== "start") return "elsewhere";
      facts.ledElsewhere = url;
      return undefined;
    }
    if (address.source !== "start" && frontier.leavesOut(url)) return "left_out";
    if (!frontier.claim(url, address)) return "duplicate";
    // The page declares itself a variant; other canonical addresses are too often wrong to skip a page because of them.
    if (canonical && isVariant(url, canonical)) {
      if (!frontier.claim(canonical, address)) return "duplicate";
      canonicals.set(address.key, canonical);
    }
    if (address.source === "start") discover(url);
    return undefined;
  }

  /**
   * Adds a document's links, unless robots.txt disallows it. A duplicate may be a part of a list, and the items on that
   * part have no other links.
   */
  async function follow(address: KnownAddress, { url, canonical, links }: Arrival): Promise<void> {
    if (facts.robots === "unreachable" || !site.includes(url)) return;
    if (address.source !== "start" && frontier.leavesOut(url)) return;
    if (!(await rulesOf(url)).allows(url)) return;
    if (canonical) add({ urls: [canonical], source: "canonical", from: address });
    add({ urls: links, source: "link", from: address });
  }

  async function finish(
    address: KnownAddress,
    result: PageResult,
    { pace, hasArrived, alone }: { pace: HostThrottle; hasArrived: boolean; alone: boolean },
  ): Promise<void> {
    const trouble = troubleOf(result, hasArrived);
    if (trouble?.isOfSite) pace.recordFailure(trouble.retryAfterMs);
    else pace.recordSuccess();
    facts.stopped ||= pace.shouldGiveUp();
    if (trouble && mayTryAgain(address, trouble)) {
      await write(() => store.postpone(address));
      if (alone) suspects.push(address);
      else frontier.putBack(address);
      return;
    }

    const isStart = address.source === "start";
    if (!isStart && isNoPage(result)) return skip(address, "not_page");
    if (!isStart && isAboutAnotherSite(result, site)) return leadElsewhere(address, result.finalUrl);
    if (isStart && hasOtherPages(result)) discover(order.url);
    await keep(address, (await forbidden(address, result)) ?? result);
  }

  function mayTryAgain({ key }: KnownAddress, trouble: Trouble): boolean {
    const tried = (tries.get(key) ?? 0) + 1;
    tries.set(key, tried);
    return tried < trouble.mostTries && !facts.stopped;
  }

  async function keep(address: KnownAddress, result: PageResult): Promise<void> {
    facts.pages += 1;
    open.delete(address);
    const page = { ...result, linkedFrom: address.linkedFrom ?? undefined };
    await write(() => store.page(address, page, latestFacts(), canonicals.get(address.key)));
  }

  /** Outcome if a page redirected to a disallowed one; the rules of that origin may have been unknown before. */
  async function forbidden(address: KnownAddress, { status, finalUrl }: PageResult): Promise<PageResult | undefined> {
    if (status === "failed" || !site.includes(finalUrl)) return undefined;
    const book = await rulesOf(finalUrl);
    if (book.allows(finalUrl)) return undefined;
    const outcome = book.state === "unreachable" ? unreadable(address) : unchecked(address, "robots");
    return { ...outcome, finalUrl };
  }

  /** Not a page of the site, but its target is reported: counts all, and lists the first. */
  async function leadElsewhere(address: KnownAddress, finalUrl: string): Promise<void> {
    const { url, linkedFrom } = address;
    const known = facts.elsewhere ?? [];
    if (known.length < MOST_ELSEWHERE_LISTED) facts.elsewhere = [...known, { url, finalUrl, linkedFrom }];
    await skip(address, "elsewhere");
  }

  async function skip(address: KnownAddress, why: SkipReason): Promise<void> {
    // The frontier counts addresses excluded by the user.
    if (why !== "left_out") facts.skipped[why === "not_page" ? "notPage" : why] += 1;
    await write(() => store.skip(address, why, latestFacts()));
  }

  /** Reads the sitemaps while pages are visited. */
  function discover(url: string): void {
    if (discovery || facts.sitemaps) return;
    discovery = readAll(new URL(url).origin);
    underTake(discovery);
  }

  async function readAll(origin: string): Promise<void> {
    const named = (await rulesOf(origin)).sitemaps;
    const starts = [...new Set([...named, `${origin}/sitemap.xml`])];
    const limits = { ...SITEMAP_LIMITS, site, signal: AbortSignal.any([signal, enough.signal]) };
    const read = await readSitemaps(starts, { fetch, ...limits }).catch((error: unknown) => {
      if (signal.aborted || !enough.signal.aborted) throw error;
    });
    if (!read) {
      facts.limited ||= !isOver();
      return;
    }
    const { lists, ...report } = read;
    facts.sitemaps = { ...report, urls: lists.reduce((sum, { urls }) => sum + urls.length, 0) };
    for (const { sitemap, urls } of lists) {
      for (let first = 0; first < urls.length; first += SITEMAP_SLICE) {
        add({ urls: urls.slice(first, first + SITEMAP_SLICE), source: "sitemap", sitemap });
        // Judging 50,000 addresses takes time; other tasks may run in between.
        await breathe();
      }
    }
  }

  function add(found: FoundAddresses): void {
    const fresh = frontier.add(found);
    if (fresh.length === 0) return;
    void write(() => store.found(fresh, latestFacts())).catch(() => {});
    bell.set();
  }

  /** Writes run one after the other, so that an address is saved before its visit; no writes after a failure. */
  function write(task: () => Promise<void>): Promise<void> {
    writing = writing.then(task);
    writing.catch((error: unknown) => ended.abort(error));
    return writing;
  }

  function latestFacts(): CrawlFacts {
    return currentFacts(facts, frontier, { open: open.size, suspects: suspects.length });
  }
}
