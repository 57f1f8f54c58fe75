import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "./installation";

const LOOK_AGAIN_MS = 100;
/** Longer than the time limits of providers. */
const LONGEST_WAIT_MS = 60_000;

/** Work that took too long in another process. */
class StillUnderWay extends Error {
  override name = "StillUnderWay";
}

/** Does work while no other process does any under the same name. @throws {StillUnderWay} after a minute */
export async function inTurn<Result>({ lock }: Pick<Installation, "lock">, name: string, work: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + LONGEST_WAIT_MS; ; await delay(LOOK_AGAIN_MS)) {
    const leave = await lock(name);
    if (leave) return work().finally(leave);
    if (performance.now() > end) throw new StillUnderWay(`${name} is still under way in another process`);
  }
}
