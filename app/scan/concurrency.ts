import os from "node:os";

/** A page under analysis, with its share of the browser, on real sites. */
const PAGE_BYTES = 600_000_000;
const MOST = 8;

/** How many pages this machine can analyse at once: one a core, as far as its memory goes. */
export function suitableConcurrency(cores = os.availableParallelism(), memoryBytes = availableMemory()): number {
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / PAGE_BYTES), MOST));
}

/** Within a container, what the container may use. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}
