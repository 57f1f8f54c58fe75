import type { Env } from "~/platform/env.server";
import { probeStore } from "~/platform/objects/open-store.server";
import { configuredStore, whyNot } from "~/server/storage/object-storage.server";
import { failed, notSet, ok, type CheckResult } from "./check.server";

/** Tests the object store with a probe. */
export async function checkObjectStore(env: Env): Promise<CheckResult> {
  const store = await configuredStore(env);
  if (!store) return notSet("STORAGE_URL: pictures are in the database");
  try {
    await probeStore(store);
    return ok(store.place);
  } catch (error) {
    return failed(`${whyNot(store, error)}: correct STORAGE_URL, or see whether this server reaches it and may write there`);
  }
}
