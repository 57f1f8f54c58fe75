import { within } from "~/platform/async/deadline";
import { startPeriodicTask } from "~/platform/async/periodic-task";
import type { ObjectStore } from "./object-store";

/** After a failure, nothing is asked for so long; then it is tried whether it works again. */
const TRY_EVERY_MS = 10_000;
/** For one object. */
const WITHIN_MS = 10_000;

/** The store has just failed: it was not asked again. */
export class StoreFailed extends Error {
  override name = "StoreFailed";
}

export interface WatchedStore extends ObjectStore {
  /** Could objects be read at the last try? */
  isReadable(): boolean;
  /** Could they be written? */
  isWritable(): boolean;
  stop(): Promise<void>;
}

interface WatchOptions {
  /** Stores and reads something. @throws if that fails */
  probe: (store: ObjectStore) => Promise<void>;
  log: (event: string, fields?: Record<string, unknown>) => void;
  tryEveryMs?: number;
  withinMs?: number;
}

/** Circuit breaker: a store that does not answer makes the first one wait, not everybody after it. */
export function watchStore(store: ObjectStore, { probe, log, tryEveryMs = TRY_EVERY_MS, withinMs = WITHIN_MS }: WatchOptions): WatchedStore {
  const failed = { read: false, written: false };
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

  async function guarded<Result>(what: keyof typeof failed, work: () => Promise<Result>): Promise<Result> {
    if (failed[what]) throw new StoreFailed(`${store.place} cannot be ${what} at the moment`);
    try {
      return await within(withinMs, work());
    } catch (error) {
      // Several may have been under way.
      if (!failed[what]) log(`the object store cannot be ${what}`, { store: store.place, err: error });
      failed[what] = true;
      throw error;
    }
  }

  return {
    place: store.place,
    put: (key, bytes) => guarded("written", () => store.put(key, bytes)),
    get: (key) => guarded("read", () => store.get(key)),
    // Tasks in the background, which begin again by themselves.
    delete: (keys) => store.delete(keys),
    list: (group) => store.list(group),
    isReadable: () => !failed.read,
    isWritable: () => !failed.written,
    stop: () => retries.stop(),
  };
}
