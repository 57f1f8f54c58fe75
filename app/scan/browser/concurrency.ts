import { availableParallelism, loadavg, totalmem } from "node:os";
import { availableMemory } from "./memory";

const GIB = 2 ** 30;

/** Memory of a heavy page in the browser's processes. */
const BYTES_PER_PAGE = 0.6 * GIB;
/** Memory for the system, the server and the browser itself. */
const BYTES_FOR_THE_REST = GIB;
/** Tasks per core that run or wait when the machine only analyses pages. */
const USUAL_LOAD = 2;
const LONGEST_PATIENCE = 4;

export interface Machine {
  cores: number;
  /** Memory in bytes. */
  memory: number;
}

/** Number of pages a machine can analyse at once: one per core, limited by memory; at least one. */
export function suitableConcurrency({ cores, memory }: Machine = thisMachine()): number {
  const byMemory = Math.floor((memory - BYTES_FOR_THE_REST) / BYTES_PER_PAGE);
  return Math.max(1, Math.min(cores, byMemory, 16));
}

/** Memory limit of one of `concurrency` pages, in bytes, so that a greedy page cannot exhaust the machine. */
export function mostMemoryOfPage(concurrency: number, { memory }: Machine = thisMachine()): number {
  return Math.max(0.5 * GIB, Math.min(2 * GIB, memory / (2 * concurrency)));
}

/**
 * Factor for a page's time to answer, when the machine does more than analyse pages: a page that waits for the processor
 * must not count as one that refuses.
 * @param load tasks that ran or waited in the last minute, on average; 0 if unknown
 */
export function timeoutFactor(load = loadavg()[0] ?? 0, cores = availableParallelism()): number {
  return Math.max(1, Math.min(LONGEST_PATIENCE, load / cores / USUAL_LOAD));
}

/** Limits of this machine, or of its container. */
function thisMachine(): Machine {
  const limit = process.constrainedMemory() || Infinity;
  return { cores: availableParallelism(), memory: Math.min(totalmem(), limit) };
}

/** Minimum free memory for another page. With less, a heavy page could make the machine swap or end the browser. */
const BYTES_TO_BEGIN = 0.4 * GIB;

/** Is there memory for one more page beside the open ones? */
export function roomForAnotherPage(available: number = availableMemory()): boolean {
  return available >= BYTES_TO_BEGIN;
}
