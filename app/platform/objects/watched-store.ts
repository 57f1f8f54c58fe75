import { within } from "~/platform/async/deadline";
import { startPeriodicTask } from "~/platform/async/periodic-task";
import type { EventLog } from "~/platform/event-log";
import { reasonOf, type ObjectStore, type StoredObject } from "./object-store";

/** Pause between probes after a failure. */
const TRY_EVERY_MS = 10_000;
/** Time limit of one put, get, delete or probe. */
const WITHIN_MS = 10_000;

type Use = "read" | "written";

/** Call refused by the circuit breaker: the store was not called. */
export class StoreFailed extends Error {
  override name = "StoreFailed";
}

export interface WatchedStore extends ObjectStore {
  /** True if objects could be read at the last attempt. */
  isReadable(): boolean;
  /** True if objects could be written at the last attempt. */
  isWritable(): boolean;
  stop(): Promise<void>;
}

interface WatchOptions {
  /** Writes and reads an object. @throws if that fails */
  probe: (store: ObjectStore) => Promise<void>;
  log: EventLog;
  tryEveryMs?: number;
  withinMs?: number;
}

/** Circuit breaker: after a failure, calls fail at once until a probe succeeds. */
export function watchStore(store: ObjectStore, { probe, log, tryEveryMs = TRY_EVERY_MS, withinMs = WITHIN_MS }: WatchOptions): WatchedStore {
  const failed: Record<Use, boolean> = { read: false, written: false };
  const retries = startPeriodicTask({
    everyMs: tryEveryMs,
    async work() {
      if (!failed.read && !failed.written) return;
      await within(withinMs, probe(store));
      Object.assign(failed, { read: false, written: false });
      log("the object store works again", { store: store.place });
    },
    onError: () => {},
  });

  async function guarded<Result>(what: Use, work: () => Promise<Result>): Promise<Result> {
    requireWorking(what);
    try {
      return await within(withinMs, work());
    } catch (error) {
      throw noted(what, error);
    }
  }

  /** Without a time limit: a list may have a million objects. */
  async function* list(group?: string): AsyncGenerator<StoredObject> {
    requireWorking("read");
    try {
      yield* store.list(group);
    } catch (error) {
      throw noted("read", error);
    }
  }

  function requireWorking(what: Use): void {
    if (failed[what]) throw new StoreFailed(`${store.place} cannot be ${what} at the moment`);
  }

  function noted(what: Use, error: unknown): unknown {
    // An invalid key is an error of this program, not of the store.
    if (error instanceof TypeError) return error;
    // Logged once, although several calls may fail together.
    if (!failed[what]) log(`the object store cannot be ${what}`, { store: store.place, why: reasonOf(error) });
    failed[what] = true;
    return error;
  }

  return {
    place: store.place,
    nameOf: store.nameOf,
    put: (key, bytes) => guarded("written", () => store.put(key, bytes)),
    get: (key) => guarded("read", () => store.get(key)),
    delete: (keys) => guarded("written", () => store.delete(keys)),
    list,
    isReadable: () => !failed.read,
    isWritable: () => !failed.written,
    stop: () => retries.stop(),
  };
}
