import { withinOr } from "./deadline";

/** A task that repeats until it is stopped. */
export interface PeriodicTask {
  stop(): Promise<void>;
}

interface PeriodicTaskOptions {
  everyMs: number;
  work: () => Promise<unknown>;
  /** First round at the start, not after `everyMs`. */
  atOnce?: boolean;
  /** Handler of a failed round; the next round repeats the work. */
  onError: (error: unknown) => void;
}

/** Time limit of `stop`: a request to a provider may take longer. */
const PATIENCE_MS = 1_000;

/** Periodic task without overlapping rounds. `stop` waits at most a second for the current round. */
export function startPeriodicTask({ everyMs, atOnce = false, work, onError }: PeriodicTaskOptions): PeriodicTask {
  let round: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  const begin = () => {
    if (isRunning) return;
    isRunning = true;
    round = work()
      .catch(onError)
      .finally(() => (isRunning = false));
  };
  const timer = setInterval(begin, everyMs);
  if (atOnce) begin();
  return {
    async stop() {
      clearInterval(timer);
      await withinOr(PATIENCE_MS, round, undefined);
    },
  };
}

/**
 * Throttled work: runs when called, but at most once in `ms` of clock time. Timers cannot do this, as they stop while a machine
 * sleeps. Failed work runs again at the next call.
 */
export function atMostEvery(ms: number, work: () => Promise<unknown>): () => Promise<void> {
  let doneAt: number | undefined;
  return async () => {
    // The clock may be set back.
    if (doneAt !== undefined && Math.abs(Date.now() - doneAt) < ms) return;
    await work();
    doneAt = Date.now();
  };
}
