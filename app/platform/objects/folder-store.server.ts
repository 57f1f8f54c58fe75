import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { mkdir, opendir, readFile, rename, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { syncToDisk } from "~/platform/file-safety.server";
import { groupOf, isObjectKey, requireObjectKey, type ObjectKey, type ObjectStore, type StoredObject } from "./object-store";

/**
 * Objects as files: `FOLDER/ab/abcdef/NAME` for the group `abcdef`, so that no folder has too many entries.
 * @param folder created with the first object
 */
export function createFolderStore(folder: string): ObjectStore {
  const root = path.resolve(folder);
  const folderOf = (group: string) => path.join(root, group.slice(0, 2), group);
  const fileOf = (key: ObjectKey) => {
    requireObjectKey(key);
    return path.join(root, key.slice(0, 2), key);
  };
  return { place: `the folder ${root}`, nameOf: fileOf, put, get, delete: remove, list };

  async function put(key: ObjectKey, bytes: Uint8Array): Promise<void> {
    const file = fileOf(key);
    try {
      await write(file, bytes);
    } catch (error) {
      // The folder of the group was empty and is just deleted: retry.
      if (!isMissing(error)) throw error;
      await write(file, bytes);
    }
  }

  async function get(key: ObjectKey): Promise<Uint8Array<ArrayBuffer> | null> {
    return readFile(fileOf(key)).then((bytes) => new Uint8Array(bytes), unlessMissing(null));
  }

  async function remove(keys: ObjectKey[]): Promise<void> {
    for (const key of keys) await unlink(fileOf(key)).catch(unlessMissing(undefined));
    // Folders that are not empty stay.
    for (const group of new Set(keys.map(groupOf))) await rmdir(folderOf(group)).catch(() => {});
  }

  async function* list(group?: string): AsyncGenerator<StoredObject> {
    if (group !== undefined) {
      yield* objectsOf(group);
      return;
    }
    for await (const shard of entriesOf(root)) {
      for await (const { name } of entriesOf(path.join(root, shard.name))) yield* objectsOf(name);
    }
  }

  async function* objectsOf(group: string): AsyncGenerator<StoredObject> {
    for await (const { name } of entriesOf(folderOf(group))) {
      const key = `${group}/${name}` as const;
      if (!isObjectKey(key)) continue;
      const facts = await stat(fileOf(key)).catch(unlessMissing(null));
      if (facts?.isFile()) yield { key, storedAt: facts.mtimeMs };
    }
  }
}

/** Atomic: a crash leaves a `.part` file, which is listed and deleted as an orphan. */
async function write(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.part`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, bytes, { mode: 0o600, flag: "wx" });
    // Sync before the database stores the name, so that both survive a power cut.
    await syncToDisk(temporary);
    await rename(temporary, file);
    await syncToDisk(path.dirname(file));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** Entries of a folder; none if the path is missing or is not a folder. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const open = await opendir(folder).catch(unlessMissing(null));
  if (open) yield* open;
}

const isMissing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code));

function unlessMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (!isMissing(error)) throw error;
    return value;
  };
}
