import type { Arrival, PageRequest, PageResult, Scanner } from "~/scan/types";
import { unvisitedPage } from "~/scan/unvisited-page";
import type { Site } from "./addresses/address";
import type { CrawlState } from "./crawl-state";
import type { Robots } from "./files/robots";
import type { Frontier, KnownAddress } from "./frontier";
import type { HostThrottle } from "./host-throttle";
import type { SkipReason } from "./store";
import { hasOtherPages, failedOnAnotherSite, isNotAPage, isVariant, retryableFailureOf, unreadable, type RetryableFailure } from "./verdict";

/** The options of a scan that apply to each of its pages. */
export type PageOptions = Pick<PageRequest, "standard" | "rules" | "advanced" | "ofSite" | "access" | "pictures" | "waitMs" | "waitFor" | "party">;

export interface PageVisitOptions {
  scanner: Pick<Scanner, "check">;
  state: CrawlState;
  frontier: Frontier;
  site: Site;
  page: PageOptions;
  /** The robots.txt rules for an address. */
  rulesOf: (url: string) => Promise<Robots>;
  /** Called with the address of the site's start page: its sitemaps may be read now. */
  onStartPage: (url: string) => void;
  signal: AbortSignal;
}

interface Visit {
  address: KnownAddress;
  throttle: HostThrottle;
  /** No other page is visited meanwhile. */
  alone: boolean;
}

/** The crawl does not need this document, or robots.txt disallows it. */
class PageSkipped extends Error {
  /** @param reached the address of the document */
  constructor(
    readonly why: SkipReason | "robots",
    readonly reached: string,
  ) {
    super(`page skipped: ${why}`);
  }
}

/**
 * Visits pages of a site: follows their links and saves their outcomes.
 * @returns a function that resolves when one page is saved, skipped or postponed
 */
export function createPageVisits({ scanner, state, frontier, site, page, rulesOf, onStartPage, signal }: PageVisitOptions): (visit: Visit) => Promise<void> {
  const { facts } = state;
  const tries = new Map<string, number>();
  /** Canonical addresses that pages also stand for, by the pages' keys. */
  const canonicals = new Map<string, string>();

  return async function visitPage({ address, throttle, alone }) {
    const skipping = new AbortController();
    let hasArrived = false;
    let following: Promise<void> = Promise.resolve();
    try {
      const result = await scanner.check({
        ...page,
        url: address.url,
        // For other pages, the pictures of their elements are enough.
        pagePicture: page.pictures === true && address.source === "start",
        priority: "background",
        alone,
        onBegin: () => state.begin(address, alone),
        signal: AbortSignal.any([signal, skipping.signal]),
        onArrival: (arrival) => {
          hasArrived = true;
          const why = reasonToSkip(address, arrival);
          following = followLinks(address, arrival);
          following.catch(() => {});
          if (why) skipping.abort(new PageSkipped(why, arrival.url));
        },
      });
      // Links are saved before the outcome: a page with an outcome is not visited again.
      await following;
      await finish({ address, throttle, alone }, result, hasArrived);
    } catch (error) {
      if (!(error instanceof PageSkipped)) throw error;
      throttle.recordSuccess();
      await following;
      if (error.why === "robots") await keep(address, { ...unreadable(address), finalUrl: error.reached });
      else if (error.why === "elsewhere") await state.leadElsewhere(address, error.reached);
      else await state.skip(address, error.why);
    }
  };

  /** Reason why a document needs no analysis; undefined if it needs one. Also assigns the document to this visit. */
  function reasonToSkip(address: KnownAddress, { url, canonical }: Arrival): SkipReason | "robots" | undefined {
    if (facts.robots === "unreachable") return "robots";
    if (!site.includes(url)) {
      if (address.source !== "start") return "elsewhere";
      facts.ledElsewhere = url;
      return undefined;
    }
    if (address.source !== "start" && frontier.isExcluded(url)) return "excluded";
    if (!frontier.claim(url, address)) return "duplicate";
    // The page declares itself a variant; other canonical addresses are too often wrong to skip a page because of them.
    if (canonical && isVariant(url, canonical)) {
      if (!frontier.claim(canonical, address)) return "duplicate";
      canonicals.set(address.key, canonical);
    }
    if (address.source === "start") onStartPage(url);
    return undefined;
  }

  /**
   * Adds a document's links, unless robots.txt disallows it. A duplicate's links count too: it may be a further page of a
   * list, and the items on it have no other links.
   */
  async function followLinks(address: KnownAddress, { url, canonical, links }: Arrival): Promise<void> {
    if (facts.robots === "unreachable" || !site.includes(url)) return;
    if (address.source !== "start" && frontier.isExcluded(url)) return;
    if (!(await rulesOf(url)).allows(url)) return;
    if (canonical) state.add({ urls: [canonical], source: "canonical", from: address });
    state.add({ urls: links, source: "link", from: address });
  }

  async function finish({ address, throttle, alone }: Visit, result: PageResult, hasArrived: boolean): Promise<void> {
    const trouble = retryableFailureOf(result, hasArrived);
    if (trouble?.isOfSite) throttle.recordFailure(trouble.retryAfterMs);
    else throttle.recordSuccess();
    facts.stopped ||= throttle.shouldGiveUp();
    if (trouble && mayTryAgain(address, trouble)) return state.postpone(address, alone);

    const isStart = address.source === "start";
    if (!isStart && isNotAPage(result)) return state.skip(address, "not_page");
    if (!isStart && failedOnAnotherSite(result, site)) return state.leadElsewhere(address, result.finalUrl);
    if (isStart && hasOtherPages(result)) onStartPage(address.url);
    await keep(address, (await disallowed(address, result)) ?? result);
  }

  function mayTryAgain({ key }: KnownAddress, trouble: RetryableFailure): boolean {
    const tried = (tries.get(key) ?? 0) + 1;
    tries.set(key, tried);
    return tried < trouble.mostTries && !facts.stopped;
  }

  function keep(address: KnownAddress, result: PageResult): Promise<void> {
    return state.keep(address, result, canonicals.get(address.key));
  }

  /** Outcome if a page redirected to a disallowed one; the rules of that origin may have been unknown before. */
  async function disallowed(address: KnownAddress, { status, finalUrl }: PageResult): Promise<PageResult | undefined> {
    if (status === "failed" || !site.includes(finalUrl)) return undefined;
    const rules = await rulesOf(finalUrl);
    if (rules.allows(finalUrl)) return undefined;
    const outcome = rules.state === "unreachable" ? unreadable(address) : unvisitedPage(address.url, "robots");
    return { ...outcome, finalUrl };
  }
}
