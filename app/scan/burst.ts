import { setMaxListeners } from "node:events";

/** Limits the number of tasks started at the same time. */
export interface Burst {
  /** Starts the task as soon as there is room; rejects with the signal's reason when it is aborted before. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Runs `count` tasks at once; one that takes longer than `freshMs` no longer counts, so that it blocks no others. */
export function createBurst(count: number, freshMs: number): Burst {
  const waiting = new Set<() => void>();
  let fresh = 0;

  function ended() {
    fresh -= 1;
    const [next] = waiting;
    next?.();
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const enter = () => {
        waiting.delete(enter);
        signal.removeEventListener("abort", leave);
        fresh += 1;
        resolve();
      };
      const leave = () => {
        waiting.delete(enter);
        reject(signal.reason as Error);
      };
      if (fresh < count) return enter();
      // Every wait of a visit listens to its signal, and Node reports so many listeners as a leak.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(enter);
    });
  }

  return {
    async run(task, signal) {
      await turn(signal);
      let counts = true;
      const end = () => {
        if (counts) ended();
        counts = false;
      };
      const timer = setTimeout(end, freshMs);
      try {
        return await task();
      } finally {
        clearTimeout(timer);
        end();
      }
    },
  };
}
