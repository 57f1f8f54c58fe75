export interface Slots {
  /**
   * Waits for a free slot, first come first served, and gives back what frees it again.
   * Rejects with the signal's reason when it is aborted while waiting.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Lets at most `count` things happen at once. */
export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>();
  let free = count;

  function release() {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  const onceOnly = () => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return onceOnly();
      }
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          waiting.delete(enter);
          reject(signal.reason as Error);
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting.add(enter);
      });
      return onceOnly();
    },
  };
}
