import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "./installation";

const LOOK_AGAIN_MS = 200;

/** Semaphore for each host, shared by all processes of an installation. */
export function createSharedHostSlots({ lock }: Pick<Installation, "lock">) {
  return {
    /**
     * Waits for one of `most` slots of a host.
     * @returns a function that releases the slot
     * @throws the signal's reason
     */
    async acquire(host: string, most: number, signal: AbortSignal): Promise<() => void> {
      for (;;) {
        for (let slot = 1; slot <= most; slot += 1) {
          signal.throwIfAborted();
          const release = await lock(`site ${host} ${slot}`);
          if (release) return release;
        }
        await delay(LOOK_AGAIN_MS, undefined, { signal });
      }
    },
  };
}
