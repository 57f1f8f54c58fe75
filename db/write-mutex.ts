/** Maximum wait of a write while another program locks the database. */
const PATIENCE_MS = 10_000;
/** Maximum wait during a stop: from the start of the stop, and for each later write. */
const PATIENCE_OF_STOP_MS = 1_000;
const PATIENCE_WHILE_STOPPING_MS = 500;

/** Error: another program locked the database for too long; nothing was written. */
export class DatabaseBusy extends Error {
  override name = "DatabaseBusy";
  readonly code = "DATABASE_BUSY";
}

/** Error: no connection to the database, or it was lost; then it is unknown whether a commit was stored. */
export class DatabaseUnreachable extends Error {
  override name = "DatabaseUnreachable";
  readonly code = "DATABASE_UNREACHABLE";
}

export interface WriteOptions {
  /** Maximum wait of a write while another program locks the database. */
  patienceMs?: number;
  /** Aborted when this process stops: then current writes wait at most a second, later ones half a second. */
  stopping?: AbortSignal;
}

/** Mutex for the writes of this process: one at a time, first come, first served. */
export class WriteMutex {
  readonly #patienceMs: number;
  /** End of longer waits, Unix time in ms; after it, writes wait only briefly. */
  #stopBy = Infinity;
  #last: Promise<void> = Promise.resolve();

  constructor({ patienceMs = PATIENCE_MS, stopping }: WriteOptions) {
    this.#patienceMs = patienceMs;
    stopping?.addEventListener("abort", () => (this.#stopBy = Date.now() + PATIENCE_OF_STOP_MS), { once: true });
  }

  /** @returns function that releases the mutex, and begin of the wait (Unix time in ms): writes that wait for each other fail together */
  async acquire(): Promise<{ leave: () => void; began: number }> {
    const began = Date.now();
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => (leave = resolve));
    await before;
    return { leave, began };
  }

  /** End of a wait by its begin (both Unix time in ms). @param patienceMs maximum while this process does not stop */
  deadline(began: number, patienceMs = this.#patienceMs): number {
    return Math.min(began + patienceMs, Math.max(this.#stopBy, began + PATIENCE_WHILE_STOPPING_MS));
  }
}
