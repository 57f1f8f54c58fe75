import { setTimeout as delay } from "node:timers/promises";
import { hostWithoutWww } from "~/scan/host-without-www";
import { setNewest } from "~/scan/limited-map";

/** Rate limit for one site: no more than it allows, and less as soon as it shows overload. */
export interface HostThrottle {
  /**
   * Waits until one more page may be requested; resolves with the function to call when the page is finished. Rejects
   * with the signal's reason when it is aborted before.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Applies from now on, including to waiting callers. */
  adjust(options: HostThrottleOptions): void;
  /** The site reported overload, failed, or gave no answer. */
  recordFailure(retryAfterMs?: number): void;
  /** The site answered normally. */
  recordSuccess(): void;
  /** Too many failures in a row: further requests would do harm. */
  shouldGiveUp(): boolean;
}

interface HostThrottleOptions {
  /** Pages at once without failures. */
  parallel: number;
  /** Minimum time between the starts of two pages, in ms (robots.txt, `Crawl-delay`). */
  delayMs: number;
}

/** One rate limit per site, shared by all its crawls of all users. */
export interface HostThrottles {
  /** The rate limit of an address's site, updated with the given options. */
  of(url: string, options: HostThrottleOptions): HostThrottle;
}

/** Semaphore for each host, shared by several processes. */
export interface SharedHostSlots {
  /**
   * Waits for a slot.
   * @param most number of slots of the host, as far as this process knows
   * @returns a function that releases the slot
   * @throws the signal's reason
   */
  acquire(host: string, most: number, signal: AbortSignal): Promise<() => void>;
}

/** Number of sites remembered. */
const MOST_SITES = 1_000;

/** @param slots undefined if no other process visits sites */
export function createHostThrottles(slots?: SharedHostSlots): HostThrottles {
  const throttles = new Map<string, HostThrottle>();
  return {
    of(url, options) {
      const name = hostWithoutWww(url);
      const throttle = throttles.get(name) ?? createHostThrottle(options, slots && ((most, signal) => slots.acquire(name, most, signal)));
      throttle.adjust(options);
      setNewest(throttles, name, throttle, MOST_SITES);
      return throttle;
    },
  };
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Maximum that a site may request with `Retry-After`. */
const LONGEST_REQUESTED_PAUSE_MS = 300_000;
/** Successful pages in a row before several pages at once are allowed again. */
const RECOVERY = 5;
/** Failures in a row after which the site is given up. */
const MOST_FAILURES = 10;
/** Time after which earlier failures no longer count: longer than the longest pause. */
const ROW_ENDS_AFTER_MS = 600_000;

type AcquireSlot = (most: number, signal: AbortSignal) => Promise<() => void>;

function createHostThrottle(options: HostThrottleOptions, acquireSlot?: AcquireSlot): HostThrottle {
  const waiting = new Set<() => void>();
  let { parallel, delayMs } = options;
  let open = 0;
  let lastStart = -Infinity;
  let pauseUntil = -Infinity;
  let failures = 0;
  let failedAt = -Infinity;
  let successes = RECOVERY;

  const limit = () => (delayMs > 0 || successes < RECOVERY ? 1 : parallel);
  const waitMs = () => Math.max(pauseUntil, lastStart + delayMs) - performance.now();
  const wakeAll = () => waiting.forEach((wake) => wake());

  async function untilWoken(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => (wake = resolve));
    waiting.add(wake);
    signal.addEventListener("abort", wake);
    await woken;
    waiting.delete(wake);
    signal.removeEventListener("abort", wake);
  }

  /** Counts one more open page. @returns a function that releases its shared slot, if there is one */
  async function takeSlot(signal: AbortSignal): Promise<(() => void) | undefined> {
    for (;;) {
      signal.throwIfAborted();
      if (open >= limit()) await untilWoken(signal);
      else if (waitMs() > 0) await delay(waitMs(), undefined, { signal });
      else if (acquireSlot) {
        const releaseSlot = await acquireSlot(limit(), signal);
        // The site may have asked for a pause meanwhile.
        if (open < limit() && waitMs() <= 0) return begin(releaseSlot);
        releaseSlot();
      } else return begin();
    }
  }

  function begin(releaseSlot?: () => void): (() => void) | undefined {
    open += 1;
    lastStart = performance.now();
    return releaseSlot;
  }

  return {
    async enter(signal) {
      const releaseSlot = await takeSlot(signal);
      const leave = () => {
        open -= 1;
        wakeAll();
        // The next visit of another process knows neither this start nor a pause.
        if (releaseSlot) setTimeout(releaseSlot, Math.max(0, waitMs()));
      };
      return once(leave);
    },
    adjust(changed) {
      ({ parallel, delayMs } = changed);
      wakeAll();
    },
    recordFailure(retryAfterMs) {
      if (performance.now() - failedAt > ROW_ENDS_AFTER_MS) failures = 0;
      failedAt = performance.now();
      const own = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      const requested = Math.min(retryAfterMs ?? 0, LONGEST_REQUESTED_PAUSE_MS);
      failures += 1;
      successes = 0;
      pauseUntil = Math.max(pauseUntil, performance.now() + Math.max(own, requested));
    },
    recordSuccess() {
      failures = 0;
      successes += 1;
      wakeAll();
    },
    shouldGiveUp: () => failures >= MOST_FAILURES,
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
