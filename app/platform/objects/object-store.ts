/** An object is named `GROUP/NAME`; the objects of a group are listed and deleted together. */
export type ObjectKey = `${string}/${string}`;

export interface StoredObject {
  key: ObjectKey;
  /** Unix time in ms. */
  storedAt: number;
}

/** Files of a few kilobytes to some megabytes, outside the database. */
export interface ObjectStore {
  /** For messages, without secrets: `the folder /srv/pictures`. */
  readonly place: string;
  /** Atomic: a reader sees the whole object or none. Replaces an object of the same key. */
  put(key: ObjectKey, bytes: Uint8Array): Promise<void>;
  /** Null if there is none. */
  get(key: ObjectKey): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Missing ones are no error. */
  delete(keys: ObjectKey[]): Promise<void>;
  /** All objects, or those of a group; what has another kind of name is no object. */
  list(group?: string): AsyncIterable<StoredObject>;
}

/** Neither part begins with a dot, so that none leads out of a folder. */
const KEY = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

export const isObjectKey = (text: string): text is ObjectKey => KEY.test(text);

/** @throws {TypeError} */
export function requireObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError(`This is no key of an object: ${JSON.stringify(key)}`);
}

export const groupOf = (key: ObjectKey): string => key.slice(0, key.indexOf("/"));

/** Lists of a limited length, for a statement each. */
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

/** Of a failure, for logs: without whole names of groups, which may open what is stored in them. */
export function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  return (message || name).replaceAll(/([\w-]{8})[\w-]{8,}(?=[\\/])/g, "$1…");
}
