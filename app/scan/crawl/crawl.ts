import { setImmediate as yieldToOtherTasks } from "node:timers/promises";
import { createAsyncSignal } from "~/platform/async/async-signal";
import type { Scanner } from "~/scan/types";
import { siteOf } from "./addresses/address";
import { createCrawlState } from "./crawl-state";
import type { CrawlFacts } from "./facts";
import { createRobotsCache, type Robots } from "./files/robots";
import { readSitemaps } from "./files/sitemap";
import { createFrontier, type KnownAddress } from "./frontier";
import type { HostThrottles } from "./host-throttle";
import { createPageVisits, type PageOptions } from "./page-visit";
import { fetchWithAccess, type SiteFetch } from "./site-fetch";
import type { CrawlStore } from "./store";

export interface CrawlRequest extends PageOptions {
  /** The start page; it determines the site. */
  url: string;
  /** Maximum number of pages with an outcome; never more than `CrawlOptions.maxPages`. */
  maxPages?: number;
  /** Path prefixes excluded by the user (`path-pattern.ts`); they do not apply to the start page. */
  excludedPaths?: string[];
  /** Called when the crawl waits because of the site's rate limit; the returned function is called when it continues. */
  onWait?: () => () => void;
  /** Aborting ends the crawl. */
  signal?: AbortSignal;
}

export interface CrawlOptions {
  scanner: Pick<Scanner, "check" | "parallel">;
  fetch: SiteFetch;
  /** Shared by all crawls, so that two crawls of one site cause no more load than one. */
  throttles: HostThrottles;
  userAgent: string;
  /** Maximum number of pages with an outcome in any crawl. */
  maxPages: number;
  /** Time limit in minutes; the crawl then ends with its results so far; undefined or 0 for no limit. */
  mostMinutes?: number;
}

/** Maximum number of parallel visits: more would strain small sites. */
export const MOST_PARALLEL = 4;
/** Maximum number of visits per page: most visits may turn out not to be pages. */
const VISITS_PER_PAGE = 3;
/** With a small page limit, some documents and redirects do not mean that no pages follow. */
const FEWEST_VISITS = 100;
/** Addresses kept per allowed page, so that there is a choice. */
const KNOWN_PER_PAGE = 5;
const FEWEST_KNOWN = 5_000;

const SITEMAP_SLICE = 1_000;
/** Addresses that robots.txt disallows, after which other tasks may run: judging one may take 10 ms. */
const JUDGED_AT_ONCE = 20;
const SITEMAP_LIMITS = { mostUrls: 50_000, mostFiles: 50, depth: 3 };

/**
 * Checks the pages of a site: finds them through the start page's links, sitemaps and canonical addresses, obeys
 * robots.txt, and saves each step in the store, so that an interrupted crawl continues where it stopped.
 * Resolves with the facts besides the pages; rejects with the signal's reason, or with the store's error.
 */
export async function crawl(request: CrawlRequest, store: CrawlStore, options: CrawlOptions): Promise<CrawlFacts> {
  const { scanner } = options;
  const maxPages = Math.min(request.maxPages ?? options.maxPages, options.maxPages);
  const mostVisits = Math.max(FEWEST_VISITS, maxPages * VISITS_PER_PAGE);
  const mostKnown = Math.max(FEWEST_KNOWN, maxPages * KNOWN_PER_PAGE);
  // The number may change: other workers of the installation come and go.
  const parallel = () => Math.min(scanner.parallel, MOST_PARALLEL);
  const fetch = fetchWithAccess(options.fetch, request.access);
  const ended = new AbortController();
  const fail = (error: unknown) => ended.abort(error);
  const signal = request.signal ? AbortSignal.any([request.signal, ended.signal]) : ended.signal;
  /** Aborted when no further page may start, so no more addresses are needed. */
  const enough = new AbortController();
  const changed = createAsyncSignal();
  signal.addEventListener("abort", changed.set);

  const site = siteOf(request.url);
  const frontier = createFrontier({ site, mostKnown, excludedPaths: request.excludedPaths, isSignedIn: request.access?.kind === "cookie" });
  const state = createCrawlState({ store, frontier, maxPages, onFound: changed.set, onError: fail });
  const { facts, open, crashSuspects } = state;
  const robots = createRobotsCache({ userAgent: options.userAgent, fetch, signal });
  const { standard, rules, advanced, access, pictures, waitMs, waitFor, party } = request;
  const page = { standard, rules, advanced, ofSite: true, access, pictures, waitMs, waitFor, party };
  const visitPage = createPageVisits({ scanner, state, frontier, site, page, rulesOf, onStartPage: discover, signal });
  const running = new Set<Promise<void>>();
  const timeIsUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isThrottled = false;
  let endWait: (() => void) | undefined;
  let visits = 0;
  let discovery: Promise<void> | undefined;

  try {
    const restored = await state.restore();
    timer = endIn(options.mostMinutes);
    if (restored?.start?.isDone && !facts.ledElsewhere) discover(restored.start.finalUrl ?? request.url);
    facts.robots = (await rulesOf(request.url)).state;
    if (!restored) state.add({ urls: [request.url], source: "start" });
    const throttle = options.throttles.of(request.url, { parallel: parallel(), delayMs: facts.crawlDelayMs });

    async function visit(address: KnownAddress, leave: () => void, alone = false): Promise<void> {
      visits += 1;
      open.add(address);
      try {
        await visitPage({ address, throttle, alone });
      } finally {
        open.delete(address);
        reportIdleness();
        leave();
      }
    }

    /** Waits until one more page may be requested from the site; undefined when the time limit ends first. */
    async function enter(): Promise<(() => void) | undefined> {
      isThrottled = true;
      reportIdleness();
      try {
        // At least one page per site is checked, even after the time limit.
        return await throttle.enter(facts.pages > 0 ? AbortSignal.any([signal, timeIsUp.signal]) : signal);
      } catch (error) {
        signal.throwIfAborted();
        if (timeIsUp.signal.aborted) return undefined;
        throw error;
      } finally {
        isThrottled = false;
        reportIdleness();
      }
    }

    for (;;) {
      signal.throwIfAborted();
      const suspect = mayVisitAlone() ? crashSuspects.shift() : undefined;
      if (suspect) {
        const leave = await enter();
        if (leave) await visit(suspect, leave, true);
        else crashSuspects.unshift(suspect);
      } else if (mayBegin()) {
        throttle.adjust({ parallel: parallel(), delayMs: facts.crawlDelayMs });
        const leave = await enter();
        try {
          // Checked again after the wait.
          const address = leave && mayBegin() ? await nextAllowed() : undefined;
          if (leave && address) run(visit(address, leave));
          else leave?.();
        } catch (error) {
          leave?.();
          throw error;
        }
      } else if (running.size > 0) {
        if (isFull() && open.size === 0) enough.abort();
        await changed.wait();
      } else break;
    }
    await state.saved();
    facts.limited ||= frontier.waiting + crashSuspects.length > 0 && !facts.stopped && facts.timeLimit === undefined;
    return state.finalFacts();
  } catch (error) {
    request.signal?.throwIfAborted();
    // An error elsewhere caused this abort.
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    clearTimeout(timer);
    ended.abort();
    await Promise.allSettled(running);
  }

  /** No new page starts after that; open ones are finished. */
  function endIn(minutes = 0): NodeJS.Timeout | undefined {
    if (minutes === 0) return undefined;
    const end = () => {
      facts.timeLimit = minutes;
      timeIsUp.abort();
      changed.set();
    };
    const leftMs = minutes * 60_000 - state.workedMs();
    if (leftMs > 0) return setTimeout(end, leftMs);
    end();
    return undefined;
  }

  /** Other pages come first. They must not take the suspect's place in the page limit. */
  function mayVisitAlone(): boolean {
    return !mayBegin() && running.size === 0 && !isOver() && visits < mostVisits;
  }

  /** Other work may run while the site's rate limit blocks this crawl. */
  function reportIdleness(): void {
    const isIdle = isThrottled && open.size === 0;
    if (isIdle) endWait ??= request.onWait?.();
    else {
      endWait?.();
      endWait = undefined;
    }
  }

  function isOver(): boolean {
    return facts.stopped || (facts.timeLimit !== undefined && facts.pages > 0);
  }

  function mayBegin(): boolean {
    return frontier.waiting > 0 && open.size < scanner.parallel && !isFull();
  }

  function isFull(): boolean {
    return isOver() || facts.pages + open.size + crashSuspects.length >= maxPages || visits >= mostVisits;
  }

  /** The robots.txt rules for an address; each origin of the site has its own, and the longest delay applies to all. */
  async function rulesOf(url: string): Promise<Robots> {
    const rules = await robots.of(url);
    facts.crawlDelayMs = Math.max(facts.crawlDelayMs, rules.crawlDelayMs);
    return rules;
  }

  /** The next address that robots.txt allows. */
  async function nextAllowed(): Promise<KnownAddress | undefined> {
    const disallowed: KnownAddress[] = [];
    let allowed: KnownAddress | undefined;
    for (let next = frontier.next(); next && !allowed; next = allowed ? undefined : frontier.next()) {
      const rules = await rulesOf(next.url);
      // The start page shows whether only robots.txt is unreachable or the whole site.
      const isAllowed = rules.allows(next.url) || (next.source === "start" && rules.state === "unreachable");
      if (isAllowed) allowed = next;
      else if (disallowed.push(next) % JUDGED_AT_ONCE === 0) await yieldToOtherTasks();
    }
    if (disallowed.length > 0) await state.disallow(disallowed);
    return allowed;
  }

  /** A failure of this work ends the crawl. */
  function run(work: Promise<void>): void {
    const watched = work.catch(fail).finally(() => {
      running.delete(watched);
      changed.set();
    });
    running.add(watched);
  }

  /** Reads the sitemaps while pages are visited. */
  function discover(url: string): void {
    if (discovery || facts.sitemaps) return;
    discovery = addFromSitemaps(new URL(url).origin);
    run(discovery);
  }

  async function addFromSitemaps(origin: string): Promise<void> {
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
    for (const { sitemap, urls } of lists) {
      for (let first = 0; first < urls.length; first += SITEMAP_SLICE) {
        state.add({ urls: urls.slice(first, first + SITEMAP_SLICE), source: "sitemap", sitemap });
        // Judging 50,000 addresses takes time.
        await yieldToOtherTasks();
      }
    }
    await state.saved();
    // Not before all are stored: after a restart, the rest would stay unknown.
    facts.sitemaps = { ...report, urls: lists.reduce((sum, { urls }) => sum + urls.length, 0) };
    await state.save();
  }
}
