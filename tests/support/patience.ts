import { pbkdf2Sync } from "node:crypto";
import { performance } from "node:perf_hooks";

/** Time of `work` (ms) on the machine that the limits are made for: two idle cores. */
const REFERENCE_MS = 20;
const MOST = 8;
/** Suites that repeat a test hundreds of times. */
const LONG = process.env["RAMPE_TESTS"] === "long" ? 30 : 1;

/** How many times longer tests may take here: 1 on a fast or usual machine, up to 8 on a slow or busy one. */
function slownessOfMachine(): number {
  const rounds = Array.from({ length: 3 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(MOST, Math.max(1, Math.min(...rounds) / REFERENCE_MS));
}

function work(): void {
  pbkdf2Sync("password", "salt", 100_000, 32, "sha256");
}

const slowness = slownessOfMachine();

const MINUTE_MS = 60_000 * slowness * LONG;

/** A time-out (ms) by minutes on the reference machine. */
export const minutes = (count: number): number => Math.round(count * MINUTE_MS);
