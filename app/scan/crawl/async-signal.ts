/** Lets one loop wait until there is something new to process. */
export interface AsyncSignal {
  set(): void;
  /** Resolves at the next `set`, or at once if `set` was called since the last wait. */
  wait(): Promise<void>;
}

export function createAsyncSignal(): AsyncSignal {
  let rung = false;
  let wake = () => {};
  return {
    set() {
      rung = true;
      wake();
    },
    async wait() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
  };
}
