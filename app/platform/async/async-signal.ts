/** Wake-up signal of a loop that waits for new work. */
export interface AsyncSignal {
  set(): void;
  /** Resolves at the next `set`, or at once if `set` was called since the last wait. */
  wait(): Promise<void>;
}

export function createAsyncSignal(): AsyncSignal {
  let isSet = false;
  let wake = () => {};
  return {
    set() {
      isSet = true;
      wake();
    },
    async wait() {
      if (!isSet) await new Promise<void>((resolve) => (wake = resolve));
      isSet = false;
    },
  };
}
