import { pbkdf2Sync } from "node:crypto";
import { performance } from "node:perf_hooks";

/** Time of `work` (ms) on the reference machine of the limits: two idle cores. */
const REFERENCE_MS = 20;
const MOST = 8;
/** Factor for suites that repeat a test hundreds of times. */
const LONG = process.env["RAMPE_TESTS"] === "long" ? 30 : 1;

/** Factor of the time limits on this machine: 1 if it is fast or usual, up to 8 if it is slow or busy. */
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

/** Time-out (ms) from minutes on the reference machine. */
export const minutes = (count: number): number => Math.round(count * MINUTE_MS);
