/** Key `GROUP/NAME`; the objects of a group are listed and deleted together. */
export type ObjectKey = `${string}/${string}`;

export interface StoredObject {
  key: ObjectKey;
  /** Unix time in ms. */
  storedAt: number;
}

/** Files of a few kilobytes to some megabytes, outside the database. All functions throw `TypeError` for invalid keys, else the store's error. */
export interface ObjectStore {
  /** Name of the store for messages, without secrets: `the folder /srv/pictures`. */
  readonly place: string;
  /** Location of an object for messages: the path of its file, or its key in the bucket. */
  nameOf(key: ObjectKey): string;
  /** Atomic: a reader sees the whole object or none. Replaces an object with the same key. */
  put(key: ObjectKey, bytes: Uint8Array): Promise<void>;
  /** Content; null if there is no such object. */
  get(key: ObjectKey): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes objects; missing ones are no error. */
  delete(keys: ObjectKey[]): Promise<void>;
  /** All objects, or the objects of a group; files with other names are no objects. */
  list(group?: string): AsyncIterable<StoredObject>;
}

/** No part begins with a dot, so that a key cannot address a file outside of the folder. */
const KEY = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

export const isObjectKey = (text: string): text is ObjectKey => KEY.test(text);

/** @throws {TypeError} */
export function requireObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError(`Not a valid object key: ${JSON.stringify(key)}`);
}

export const groupOf = (key: ObjectKey): string => key.slice(0, key.indexOf("/"));

/** Groups items into arrays of at most `size`. */
export async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Reason of a failure, for logs. Group names are shortened, because the id of a run opens its free check. */
export function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  return (message || name).replaceAll(/([\w-]{8})[\w-]{8,}(?=[\\/])/g, "$1…");
}
