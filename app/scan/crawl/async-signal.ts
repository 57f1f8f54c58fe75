/** Lets one loop sleep until something has happened that it should look at. */
export interface AsyncSignal {
  set(): void;
  /** Resolves at the next ring, or at once when it has rung since it was last heard. */
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
