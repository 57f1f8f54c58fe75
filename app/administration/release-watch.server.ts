import { startPeriodicTask } from "~/platform/async/periodic-task";
import { DAY_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import { askForRelease, isNewer, type Release } from "./release.server";

/** The first request comes so long after the start: a server that fails and starts again and again makes none. */
const LOOK_EVERY_MS = 10_000;

export interface ReleaseWatch {
  /** A version that is newer than this one, by the last answer. */
  newer(): Release | null;
  stop(): Promise<void>;
}

export interface ReleaseWatchOptions {
  /** Address of a JSON document about the newest version; undefined: no request is made. */
  address: string | undefined;
  /** Of this program. */
  version: string;
  /** Told once about each newer version, and about each failure. */
  log: EventLog;
  /** How often to look whether a day is over, in ms. */
  everyMs?: number;
}

/** Asks once a day for the newest version. After a failure, the last answer holds until the next day. */
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
    // If the clock was set back, the last question lies in the future.
    if (Math.abs(now - askedAt) < DAY_MS) return;
    askedAt = now;
    const release = await askForRelease(from, { signal: stopping.signal });
    const known = newer?.version;
    newer = isNewer(release.version, version) ? release : null;
    if (newer && newer.version !== known) log("a newer version is available", { ...newer });
  }

  /** No error for the log: the server does not need the answer. */
  function failed(error: unknown): void {
    if (!stopping.signal.aborted) log("RELEASES_URL did not say which version is the newest", { reason: (error as Error).message });
  }
}
