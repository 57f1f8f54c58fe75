import { randomUUID } from "node:crypto";
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
 * Marks the store as that of this database: with another database, or an empty one, the clean-up would delete all pictures as those
 * that no row names.
 * @throws {InvalidSetting} if it is the store of another database
 */
async function requireOwn(db: Db, store: ObjectStore): Promise<void> {
  await db.insertInto("storage_mark").values({ id: ID, mark: randomUUID() }).onConflict((conflict) => conflict.doNothing()).execute();
  const { mark } = await db.selectFrom("storage_mark").select("mark").where("id", "=", ID).executeTakeFirstOrThrow();
  const found = await store.get(MARK);
  if (!found) return store.put(MARK, Buffer.from(mark));
  if (Buffer.from(found).toString() === mark) return;
  throw new InvalidSetting(`STORAGE_URL is unusable: ${store.place} holds the pictures of another database. Each installation wants a place of its own; if it is the right one, delete ${MARK} in it.`);
}
