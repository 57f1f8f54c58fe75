import { setTimeout as delay } from "node:timers/promises";

/** How hard one site may be pressed: not more than it allows, and less as soon as it shows strain. */
export interface HostThrottle {
  /**
   * Waits until the site may be asked for one more page; resolves with what says that the page is through.
   * Rejects with the signal's reason when that is aborted before.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Holds from now on, also for those that wait. */
  adjust(options: HostThrottleOptions): void;
  /** The site said that it is too much, broke down, or gave no answer. */
  recordFailure(retryAfterMs?: number): void;
  /** The site answered as it should. */
  recordSuccess(): void;
  /** It has been nothing but trouble for so long that going on does harm. */
  shouldGiveUp(): boolean;
}

export interface HostThrottleOptions {
  /** Pages at once while all is well. */
  parallel: number;
  /** Least time between the beginnings of two pages, in ms (robots.txt, `Crawl-delay`). */
  delayMs: number;
}

/** One pace for each site, whoever has ordered the crawls that are under way there. */
export interface HostThrottles {
  /** The pace of the site that an address belongs to, adjusted to what is known of that now. */
  of(url: string, options: HostThrottleOptions): HostThrottle;
}

/** Sites whose pace is remembered. */
const MOST_SITES = 1_000;

export function createHostThrottles(): HostThrottles {
  const paces = new Map<string, HostThrottle>();
  return {
    of(url, options) {
      const name = new URL(url).host.replace(/^www\./, "");
      const pace = paces.get(name) ?? createHostThrottle(options);
      pace.adjust(options);
      // The one that was asked for last goes last.
      paces.delete(name);
      paces.set(name, pace);
      const [oldest] = paces.keys();
      if (paces.size > MOST_SITES && oldest !== undefined) paces.delete(oldest);
      return pace;
    },
  };
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** What a site may ask for with `Retry-After`. */
const LONGEST_REQUESTED_PAUSE_MS = 300_000;
/** Pages in a row that must be fine before the site is trusted with several at once again. */
const RECOVERY = 5;
const HOPELESS = 10;

export function createHostThrottle(options: HostThrottleOptions): HostThrottle {
  const waiting = new Set<() => void>();
  let { parallel, delayMs } = options;
  let open = 0;
  let lastBegun = -Infinity;
  let restUntil = 0;
  let troubles = 0;
  let fineSince = RECOVERY;

  const limit = () => (delayMs > 0 || fineSince < RECOVERY ? 1 : parallel);
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

  return {
    async enter(signal) {
      for (;;) {
        signal.throwIfAborted();
        const wait = Math.max(restUntil, lastBegun + delayMs) - Date.now();
        if (open >= limit()) await untilWoken(signal);
        else if (wait > 0) await delay(wait, undefined, { signal });
        else break;
      }
      open += 1;
      lastBegun = Date.now();
      let left = false;
      return () => {
        if (left) return;
        left = true;
        open -= 1;
        wakeAll();
      };
    },
    adjust(changed) {
      ({ parallel, delayMs } = changed);
      wakeAll();
    },
    recordFailure(retryAfterMs) {
      const own = Math.min(FIRST_PAUSE_MS * 2 ** troubles, LONGEST_PAUSE_MS);
      const requested = Math.min(retryAfterMs ?? 0, LONGEST_REQUESTED_PAUSE_MS);
      troubles += 1;
      fineSince = 0;
      restUntil = Math.max(restUntil, Date.now() + Math.max(own, requested));
    },
    recordSuccess() {
      troubles = 0;
      fineSince += 1;
      wakeAll();
    },
    shouldGiveUp: () => troubles >= HOPELESS,
  };
}
