import { setMaxListeners } from "node:events";

/** Keeps what is begun at the same time from being too much at once. */
export interface Burst {
  /** Begins the task as soon as it fits; rejects with the signal's reason when that is aborted before. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Lets `count` tasks run at once; one that takes longer than `freshMs` no longer counts, so that it holds up nobody. */
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
      // Everything that a visit waits for has its signal, and Node takes so many listeners for a leak.
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
