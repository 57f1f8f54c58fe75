import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "./installation";

const LOOK_AGAIN_MS = 200;

/** Places of a site that all processes of an installation share. */
export function createSharedPlaces({ lock }: Pick<Installation, "lock">) {
  return {
    /**
     * Waits for one of `most` places.
     * @returns the function that leaves it
     * @throws the signal's reason
     */
    async enter(site: string, most: number, signal: AbortSignal): Promise<() => void> {
      for (;;) {
        for (let place = 1; place <= most; place += 1) {
          signal.throwIfAborted();
          const leave = await lock(`site ${site} ${place}`);
          if (leave) return leave;
        }
        await delay(LOOK_AGAIN_MS, undefined, { signal });
      }
    },
  };
}
