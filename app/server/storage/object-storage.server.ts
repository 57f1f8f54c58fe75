import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Db } from "db/schema";
import { InvalidSetting, processEnv, type Env } from "~/platform/env.server";
import type { EventLog } from "~/platform/event-log";
import type { ObjectKey, ObjectStore } from "~/platform/objects/object-store";
import { openStore, probeStore } from "~/platform/objects/open-store.server";
import { readStorageAddress } from "~/platform/objects/storage-address";
import { watchStore, type WatchedStore } from "~/platform/objects/watched-store";
import { OWN_GROUP } from "~/findings/run-objects.server";

const MARK: ObjectKey = `${OWN_GROUP}/id`;
const ID = 1;

/** Object store for pictures and finished PDFs; null without one: pictures are then in the database, PDFs are not kept. @throws {InvalidSetting} */
export async function openObjects(env: Env, { db, log }: { db: Db; log: EventLog }): Promise<WatchedStore | null> {
  requireStorageFolder(env);
  const store = await configuredStore(env);
  if (!store) return null;
  try {
    await probeStore(store);
  } catch (error) {
    throw new InvalidSetting(`STORAGE_URL is unusable: ${whyNot(store, error)}.`);
  }
  await requireOwn(db, store);
  return watchStore(store, { probe: probeStore, log });
}

/** @throws {InvalidSetting} if pictures would be stored among the files of the data folder */
export function requireStorageFolder({ STORAGE_URL: url, DATA_DIR: dataDir }: Env): void {
  const address = url === undefined ? null : readStorageAddress(url);
  if (address?.kind !== "folder") return;
  const relative = path.relative(path.resolve(address.folder), path.resolve(dataDir));
  const isApart = /^\.\.($|[\\/])/.test(relative);
  if (!isApart) throw new InvalidSetting("STORAGE_URL is unusable: it must not be DATA_DIR, or a folder that contains it.");
}

/** Object store of STORAGE_URL, without a request to it; null if it is not set. */
export async function configuredStore({ STORAGE_URL: url }: Env): Promise<ObjectStore | null> {
  const address = url === undefined ? null : readStorageAddress(url);
  if (!address) return null;
  // Not checked here: a missing region or key fails at the first request.
  return openStore(address, processEnv());
}

export const whyNot = ({ place }: ObjectStore, error: unknown): string => {
  const { message, name } = error as Error;
  return `${place} cannot be written and read (${(message || name).replaceAll(/\s+/g, " ")})`;
};

/**
 * Marks the store as that of this database. With the store of another database, the clean-up would delete all pictures as orphans. With
 * an empty store, such as a disk that is not mounted, all pictures of this database would be missing without an error.
 * @throws {InvalidSetting} if the store belongs to another database
 */
async function requireOwn(db: Db, store: ObjectStore): Promise<void> {
  await db.insertInto("storage_mark").values({ id: ID, mark: randomUUID() }).onConflict((conflict) => conflict.doNothing()).execute();
  const mark = await markOf(db);
  const why = await whyNotOwn(db, store);
  if (why !== null) throw new InvalidSetting(`STORAGE_URL is unusable: ${why}. If this is the right store, write ${mark} into ${store.nameOf(MARK)}.`);
  if (!(await store.get(MARK))) await store.put(MARK, Buffer.from(mark));
}

const markOf = async (db: Db) => (await db.selectFrom("storage_mark").select("mark").where("id", "=", ID).executeTakeFirst())?.mark ?? "";

/** Reason why the store does not belong to this database; null if it does, or if both are new. */
export async function whyNotOwn(db: Db, store: ObjectStore): Promise<string | null> {
  const found = await store.get(MARK);
  if (found) return Buffer.from(found).toString() === (await markOf(db)) ? null : `${store.place} holds the pictures of another database, and each installation wants a place of its own`;
  const hasPictures = (await db.selectFrom("stored_picture").select("hash").limit(1).executeTakeFirst()) !== undefined;
  return hasPictures ? `${store.place} does not hold the pictures of this database: it may not be mounted` : null;
}

/** Deletes the mark, so that the next start checks the store: a copy of the database must not delete newer objects of the original. */
export async function forgetStore(db: Db): Promise<void> {
  const tables = await db.introspection.getTables();
  // The table may be missing: an archive may be older.
  if (tables.some(({ name }) => name === "storage_mark")) await db.deleteFrom("storage_mark").execute();
}
