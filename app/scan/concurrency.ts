import { availableParallelism, totalmem } from "node:os";

const GIB = 2 ** 30;

/** What a heavy page takes in the browser's processes. */
const BYTES_PER_PAGE = 0.6 * GIB;
/** For the system, the server and the browser itself. */
const BYTES_FOR_THE_REST = GIB;

export interface Machine {
  cores: number;
  /** In bytes. */
  memory: number;
}

/** How many pages a machine can analyse at once: one for each core, as far as the memory goes; at least one. */
export function suitableConcurrency({ cores, memory }: Machine = thisMachine()): number {
  const byMemory = Math.floor((memory - BYTES_FOR_THE_REST) / BYTES_PER_PAGE);
  return Math.max(1, Math.min(cores, byMemory, 16));
}

/** In a container, what it may use. */
function thisMachine(): Machine {
  const limit = process.constrainedMemory() || Infinity;
  return { cores: availableParallelism(), memory: Math.min(totalmem(), limit) };
}
