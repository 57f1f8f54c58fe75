import { availableParallelism, loadavg, totalmem } from "node:os";
import { availableMemory } from "./memory";

const GIB = 2 ** 30;

/** What a heavy page takes in the browser's processes. */
const BYTES_PER_PAGE = 0.6 * GIB;
/** For the system, the server and the browser itself. */
const BYTES_FOR_THE_REST = GIB;
/** Tasks a core that run or wait when pages are analysed and nothing else is done. */
const USUAL_LOAD = 2;
const LONGEST_PATIENCE = 4;

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

/** What one of so many pages may take at most, in bytes, so that a greedy one cannot take the machine down. */
export function mostMemoryOfPage(concurrency: number, { memory }: Machine = thisMachine()): number {
  return Math.max(0.5 * GIB, Math.min(2 * GIB, memory / (2 * concurrency)));
}

/**
 * How many times as long as usual a page may take to answer, as the machine has more to do than to analyse pages: what
 * waits for its turn is not to be taken for a page that refuses.
 * @param load tasks that ran or waited in the last minute, on average; 0 where that cannot be told
 */
export function patience(load = loadavg()[0] ?? 0, cores = availableParallelism()): number {
  return Math.max(1, Math.min(LONGEST_PATIENCE, load / cores / USUAL_LOAD));
}

/** In a container, what it may use. */
function thisMachine(): Machine {
  const limit = process.constrainedMemory() || Infinity;
  return { cores: availableParallelism(), memory: Math.min(totalmem(), limit) };
}

/** Begun with less, a heavy page could drive the machine into swapping, or the browser into its end. */
const BYTES_TO_BEGIN = 0.4 * GIB;

/** Is there memory for one more page, beside those that are open already? */
export function roomForAnotherPage(available: number = availableMemory()): boolean {
  return available >= BYTES_TO_BEGIN;
}
