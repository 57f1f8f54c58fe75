/** Lets one loop sleep until something has happened that it should look at. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or at once when it has rung since it was last heard. */
  heard(): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async heard() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
  };
}
