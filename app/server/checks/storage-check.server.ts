import type { Env } from "~/platform/env.server";
import type { ObjectStore } from "~/platform/objects/object-store";
import { probeStore } from "~/platform/objects/open-store.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { configuredStore, whyNot, whyNotOwn } from "~/server/storage/object-storage.server";
import { failed, notSet, ok, type CheckResult } from "./check.server";

/** Tests the object store with a probe, and compares its mark with that of the database, if there is one. */
export async function checkObjectStore(env: Env): Promise<CheckResult> {
  const store = await configuredStore(env);
  if (!store) return notSet("STORAGE_URL: pictures are in the database");
  try {
    await probeStore(store);
    const why = await whyNotOwnOf(env, store);
    return why === null ? ok(store.place) : failed(`${why}: the start says what to do`);
  } catch (error) {
    return failed(`${whyNot(store, error)}: correct STORAGE_URL, or see whether this server reaches it and may write there`);
  }
}

async function whyNotOwnOf(env: Env, store: ObjectStore): Promise<string | null> {
  // No database before the first start, and none of this version before an update.
  const db = await openExistingDatabase(env).catch(() => null);
  return db && whyNotOwn(db, store).finally(() => db.destroy());
}
