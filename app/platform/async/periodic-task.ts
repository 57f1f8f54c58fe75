/** What is done again and again until it is stopped. */
export interface PeriodicTask {
  stop(): Promise<void>;
}

interface PeriodicTaskOptions {
  everyMs: number;
  work: () => Promise<unknown>;
  /** Told of a round that failed; its work is done again in the next one. */
  onError: (error: unknown) => void;
}

/** A provider may take longer than a stop has. */
const PATIENCE_MS = 1_000;

/** Does something again and again, never twice at once. Stopping gives what is under way a second. */
export function startPeriodicTask({ everyMs, work, onError }: PeriodicTaskOptions): PeriodicTask {
  let round: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    round = work()
      .catch(onError)
      .finally(() => (isRunning = false));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.race([round, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
    },
  };
}
