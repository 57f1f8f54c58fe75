import { startPeriodicTask } from "~/platform/async/periodic-task";
import { DAY_MS, HOUR_MS } from "~/platform/durations";

const LOOK_EVERY_MS = 600_000;
const AGAIN_AFTER_FAILURE_MS = HOUR_MS;
/** Hours of few users, in the server's time zone. */
const NIGHT = { from: 2, to: 5 };

export interface NightlyBackups {
  /** `failed`: the last attempt failed. */
  state(): "ok" | "failed";
  stop(): Promise<void>;
}

export interface NightlyOptions {
  /** Time of the newest archive (Unix time in ms); null if there is none. Rejects if the folder for archives is missing. */
  newest(): Promise<number | null>;
  /** Makes an archive. @param signal aborted when the server stops */
  make(signal: AbortSignal): Promise<unknown>;
  onError(error: unknown): void;
  /** Interval of checks, in ms. */
  everyMs?: number;
}

/** Makes an archive every night, and immediately if the newest is older than a day. */
export function startNightlyBackups({ newest, make, onError, everyMs = LOOK_EVERY_MS }: NightlyOptions): NightlyBackups {
  const stopping = new AbortController();
  let failedAt: number | null = null;
  /** An archive was due, but failed so far. */
  let isMissing = false;
  const task = startPeriodicTask({ everyMs, work, atOnce: true, onError: failed });
  return {
    state: () => (failedAt === null ? "ok" : "failed"),
    async stop() {
      stopping.abort();
      await task.stop();
    },
  };

  async function work(): Promise<void> {
    const now = Date.now();
    // `Math.abs`: a failure in the future means that the clock was set back.
    if (failedAt !== null && Math.abs(now - failedAt) < AGAIN_AFTER_FAILURE_MS) return;
    isMissing ||= isDue(await newest(), now);
    if (isMissing) await make(stopping.signal);
    isMissing = false;
    failedAt = null;
  }

  function failed(error: unknown): void {
    if (stopping.signal.aborted) return;
    failedAt = Date.now();
    onError(error);
  }
}

/** @param newest Unix time in ms of the newest archive; null if there is none */
export function isDue(newest: number | null, now: number): boolean {
  if (newest === null) return true;
  const hour = new Date(now).getHours();
  const isNight = hour >= NIGHT.from && hour < NIGHT.to;
  return now - newest > (isNight ? DAY_MS / 2 : DAY_MS);
}
