import { randomBytes } from "node:crypto";
import { createFolderStore } from "./folder-store.server";
import type { ObjectKey, ObjectStore } from "./object-store";
import { openS3Store } from "./s3-store.server";
import type { StorageAddress } from "./storage-address";

/** Creates the store without any access to it. @param environment environment of this process, with user and key of S3 */
export async function openStore(address: StorageAddress, environment: NodeJS.ProcessEnv): Promise<ObjectStore> {
  return address.kind === "folder" ? createFolderStore(address.folder) : openS3Store(address, environment);
}

/** Stores, lists, reads and deletes an object. @throws if one of these fails */
export async function probeStore(store: ObjectStore): Promise<void> {
  const group = `probe-${randomBytes(8).toString("hex")}`;
  const key: ObjectKey = `${group}/probe`;
  const text = Buffer.from(group);
  await store.put(key, text);
  const listed: string[] = [];
  for await (const each of store.list(group)) listed.push(each.key);
  const found = await store.get(key);
  await store.delete([key]);
  if (!listed.includes(key) || !found || !text.equals(found)) throw new Error("an object that was just stored was not found");
}
