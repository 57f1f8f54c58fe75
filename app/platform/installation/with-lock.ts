import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "./installation";

const LOOK_AGAIN_MS = 100;
/** Longer than the time limits of providers. */
const LONGEST_WAIT_MS = 60_000;

/** The lock was held too long by another process. */
class StillUnderWay extends Error {
  override name = "StillUnderWay";
}

/** Waits for the lock, then does the work. One process at a time has a lock of a name. @throws {StillUnderWay} after a minute */
export async function withLock<Result>({ lock }: Pick<Installation, "lock">, name: string, work: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + LONGEST_WAIT_MS; ; await delay(LOOK_AGAIN_MS)) {
    const release = await lock(name);
    if (release) return work().finally(release);
    if (performance.now() > end) throw new StillUnderWay(`${name} is still under way in another process`);
  }
}
