import type { ObjectKey } from "~/platform/objects/object-store";
import type { WatchedStore } from "~/platform/objects/watched-store";

interface MemoryStore extends WatchedStore {
  readonly objects: Map<ObjectKey, { bytes: Uint8Array<ArrayBuffer>; storedAt: number }>;
  /** Operations that fail from now on. */
  readonly fails: { put: boolean; get: boolean; delete: boolean };
}

/** Object store in memory with simulated failures. */
export function memoryStore(now: () => number = Date.now): MemoryStore {
  const objects: MemoryStore["objects"] = new Map();
  const fails = { put: false, get: false, delete: false };
  const unlessFailing = (what: keyof typeof fails) => {
    if (fails[what]) throw new Error(`the store cannot ${what}`);
  };
  return {
    ...{ objects, fails, place: "the memory", nameOf: (key) => key },
    async put(key, bytes) {
      unlessFailing("put");
      objects.set(key, { bytes: new Uint8Array(bytes), storedAt: now() });
    },
    async get(key) {
      unlessFailing("get");
      return objects.get(key)?.bytes ?? null;
    },
    async delete(keys) {
      unlessFailing("delete");
      for (const key of keys) objects.delete(key);
    },
    async *list(group) {
      for (const [key, { storedAt }] of objects) if (group === undefined || key.startsWith(`${group}/`)) yield { key, storedAt };
    },
    isReadable: () => !fails.get,
    isWritable: () => !fails.put,
    stop: () => Promise.resolve(),
  };
}
