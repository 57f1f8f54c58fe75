import { setTimeout as delay } from "node:timers/promises";

/** How hard a crawl may press one site: not more than it allows, and less as soon as it shows strain. */
export interface Pace {
  /**
   * Waits until the site may be asked for another page.
   * Rejects with the signal's reason when that is aborted before.
   */
  turn(signal: AbortSignal): Promise<void>;
  /** Pages that may be open at once, at the moment. */
  parallel(): number;
  /** The site said that it is too much, or broke down. */
  trouble(retryAfterMs?: number): void;
  /** The site answered as it should. */
  fine(): void;
  /** It has been nothing but trouble for so long that going on does harm. */
  hopeless(): boolean;
}

export interface PaceOptions {
  /** Pages at once while all is well. */
  parallel: number;
  /** Least time between two pages, in ms (robots.txt, `Crawl-delay`). */
  delayMs: number;
  now?: () => number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** What a site may ask for with `Retry-After`. */
const LONGEST_REQUESTED_PAUSE_MS = 300_000;
/** Pages in a row that must be fine before the site is trusted with several at once again. */
const RECOVERY = 5;
const HOPELESS = 10;

export function createPace({ parallel, delayMs, now = Date.now }: PaceOptions): Pace {
  let earliest = 0;
  let troubles = 0;
  let fineSince = RECOVERY;

  return {
    async turn(signal) {
      for (let wait = earliest - now(); wait > 0; wait = earliest - now())
        await delay(wait, undefined, { signal });
      signal.throwIfAborted();
      earliest = now() + delayMs;
    },
    parallel: () => (delayMs > 0 || fineSince < RECOVERY ? 1 : parallel),
    trouble(retryAfterMs) {
      const own = Math.min(FIRST_PAUSE_MS * 2 ** troubles, LONGEST_PAUSE_MS);
      const requested = Math.min(retryAfterMs ?? 0, LONGEST_REQUESTED_PAUSE_MS);
      troubles += 1;
      fineSince = 0;
      earliest = Math.max(earliest, now() + Math.max(own, requested));
    },
    fine() {
      troubles = 0;
      fineSince += 1;
    },
    hopeless: () => troubles >= HOPELESS,
  };
}
