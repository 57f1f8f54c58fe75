export interface Slots {
  /**
   * Waits for a free slot and gives back what frees it again. First come first served, but whoever is in the background
   * gives way to everybody who is not. Rejects with the signal's reason when it is aborted while waiting.
   */
  take(signal: AbortSignal, background?: boolean): Promise<() => void>;
}

/** How often is looked again whether there is room for another. */
const LOOK_EVERY_MS = 250;

/**
 * Lets at most `count` things happen at once.
 * @param roomForMore asked before something begins beside what is under way already; one may always be
 */
export function createSlots(count: number, roomForMore: () => boolean = () => true): Slots {
  const inFront = new Set<() => void>();
  const background = new Set<() => void>();
  let taken = 0;
  let looking: NodeJS.Timeout | undefined;

  function admit() {
    clearTimeout(looking);
    while (inFront.size + background.size > 0 && taken < count) {
      if (taken > 0 && !roomForMore()) {
        looking = setTimeout(admit, LOOK_EVERY_MS);
        return;
      }
      const [next] = inFront.size > 0 ? inFront : background;
      next?.();
    }
  }

  const onceOnly = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      taken -= 1;
      admit();
    };
  };

  return {
    async take(signal, inBackground = false) {
      signal.throwIfAborted();
      const waiting = inBackground ? background : inFront;
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          waiting.delete(enter);
          signal.removeEventListener("abort", leave);
          taken += 1;
          resolve();
        };
        const leave = () => {
          waiting.delete(enter);
          reject(signal.reason as Error);
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting.add(enter);
        admit();
      });
      return onceOnly();
    },
  };
}
