import { withinOr } from "./deadline";

/** A task that repeats until it is stopped. */
export interface PeriodicTask {
  stop(): Promise<void>;
}

interface PeriodicTaskOptions {
  everyMs: number;
  work: () => Promise<unknown>;
  /** The first round begins now, not after `everyMs`. */
  atOnce?: boolean;
  /** Called when a round failed; the next round repeats the work. */
  onError: (error: unknown) => void;
}

/** Time limit of a stop: a provider may take longer. */
const PATIENCE_MS = 1_000;

/** Repeats a task, never two rounds at once. Stopping waits a second at most for the current round. */
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
 * Does its work when it is called, but not again before so much time has passed by the date: timers stand still while a machine
 * sleeps, and it then has much to do. Work that failed is done again at the next call.
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
