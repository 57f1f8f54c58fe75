import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "./installation";

const LOOK_AGAIN_MS = 100;
/** Time limit of the wait: longer than the time limits of providers. */
const LONGEST_WAIT_MS = 60_000;

/** Error: another process has held the lock too long. */
class StillUnderWay extends Error {
  override name = "StillUnderWay";
}

/** Runs the work while this process holds the lock with that name. @throws {StillUnderWay} after a minute of waiting for the lock */
export async function withLock<Result>({ lock }: Pick<Installation, "lock">, name: string, work: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + LONGEST_WAIT_MS; ; await delay(LOOK_AGAIN_MS)) {
    const release = await lock(name);
    if (release) return work().finally(release);
    if (performance.now() > end) throw new StillUnderWay(`${name} is still under way in another process`);
  }
}
