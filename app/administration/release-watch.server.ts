import { startPeriodicTask } from "~/platform/async/periodic-task";
import { DAY_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import { askForRelease, isNewer, type Release } from "./release.server";

/** Interval of checks whether a day is over, also the delay after the start: a server in a crash loop makes no requests. */
const LOOK_EVERY_MS = 10_000;

export interface ReleaseWatch {
  /** A version newer than this one, by the last answer; null for none. */
  newer(): Release | null;
  stop(): Promise<void>;
}

export interface ReleaseWatchOptions {
  /** Address of a JSON document about the newest version; undefined: no requests. */
  address: string | undefined;
  /** Version of this program. */
  version: string;
  /** Logs each newer version and each failure once. */
  log: EventLog;
  /** Interval of checks whether a day is over, in ms. */
  everyMs?: number;
}

/** Asks once a day for the newest version. After a failure, the last answer stays valid until the next day. */
export function startReleaseWatch({ address, version, log, everyMs = LOOK_EVERY_MS }: ReleaseWatchOptions): ReleaseWatch {
  if (address === undefined) return { newer: () => null, stop: () => Promise.resolve() };
  const stopping = new AbortController();
  let askedAt = -Infinity;
  let newer: Release | null = null;
  const task = startPeriodicTask({ everyMs, work: () => work(address), onError: failed });
  return {
    newer: () => newer,
    async stop() {
      stopping.abort();
      await task.stop();
    },
  };

  async function work(from: string): Promise<void> {
    const now = Date.now();
    // If the clock was set back, the last request is in the future.
    if (Math.abs(now - askedAt) < DAY_MS) return;
    askedAt = now;
    const release = await askForRelease(from, { signal: stopping.signal });
    const known = newer?.version;
    newer = isNewer(release.version, version) ? release : null;
    if (newer && newer.version !== known) log("a newer version is available", { ...newer });
  }

  /** Logged as an event, not as an error: the server does not need the answer. */
  function failed(error: unknown): void {
    if (!stopping.signal.aborted) log("RELEASES_URL did not say which version is the newest", { reason: (error as Error).message });
  }
}
