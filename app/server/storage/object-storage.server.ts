import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Db } from "db/schema";
import { InvalidSetting, processEnv, type Env } from "~/platform/env.server";
import type { ObjectKey, ObjectStore } from "~/platform/objects/object-store";
import { openStore, probeStore } from "~/platform/objects/open-store.server";
import { readStorageAddress } from "~/platform/objects/storage-address";
import { watchStore, type WatchedStore } from "~/platform/objects/watched-store";
import { OWN_GROUP } from "~/runs/run-objects.server";
import type { EventLog } from "~/server/event-log.server";

const MARK: ObjectKey = `${OWN_GROUP}/id`;
const ID = 1;

/** The object store for pictures and finished PDFs; null without one: pictures are in the database, PDFs are not kept. @throws {InvalidSetting} */
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

/** @throws {InvalidSetting} if pictures would lie among the files of the data folder */
export function requireStorageFolder({ STORAGE_URL: url, DATA_DIR: dataDir }: Env): void {
  const address = url === undefined ? null : readStorageAddress(url);
  if (address?.kind !== "folder") return;
  const way = path.relative(path.resolve(address.folder), path.resolve(dataDir));
  if (way === "" || !/^\.\.($|[\\/])/.test(way)) throw new InvalidSetting("STORAGE_URL is unusable: it wants a folder of its own, which is neither DATA_DIR nor one around it.");
}

/** As it is configured; nothing is asked yet. @throws {InvalidSetting} */
export async function configuredStore({ STORAGE_URL: url }: Env): Promise<ObjectStore | null> {
  const address = url === undefined ? null : readStorageAddress(url);
  if (!address) return null;
  // A region or a user that is missing is told by the first request.
  return openStore(address, processEnv());
}

export const whyNot = ({ place }: ObjectStore, error: unknown): string => {
  const { message, name } = error as Error;
  return `${place} cannot be written and read (${(message || name).replaceAll(/\s+/g, " ")})`;
};

/**
 * Marks the store as that of this database. With the store of another database, the clean-up would delete all pictures as those that no
 * row names; with an empty one, such as a disk that is not mounted, all pictures of this database would be missing without a word.
 * @throws {InvalidSetting} if it is not the store of this database
 */
async function requireOwn(db: Db, store: ObjectStore): Promise<void> {
  await db.insertInto("storage_mark").values({ id: ID, mark: randomUUID() }).onConflict((conflict) => conflict.doNothing()).execute();
  const { mark } = await db.selectFrom("storage_mark").select("mark").where("id", "=", ID).executeTakeFirstOrThrow();
  const found = await store.get(MARK);
  if (found && Buffer.from(found).toString() === mark) return;
  const isNew = !found && (await db.selectFrom("stored_picture").select("hash").limit(1).executeTakeFirst()) === undefined;
  if (isNew) return store.put(MARK, Buffer.from(mark));
  const why = found ? "holds the pictures of another database, and each installation wants a place of its own" : "does not hold the pictures of this database: it may not be mounted";
  throw new InvalidSetting(`STORAGE_URL is unusable: ${store.place} ${why}. If it is the right one, ${MARK} in it has to say ${mark}.`);
}

/** A database that was copied must not delete what the original has stored since: it asks at its next start whether the store is its own. */
export async function forgetStore(db: Db): Promise<void> {
  await db.deleteFrom("storage_mark").execute();
}
