import type { Db } from "db/schema";
import { pictureKey } from "./picture-store.server";
import { DAY_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import { groupOf, inBatches, reasonOf, type ObjectKey, type ObjectStore, type StoredObject } from "~/platform/objects/object-store";

/** Minimum age of orphans: younger objects may belong to a page that is being stored. */
const ORPHAN_AFTER_MS = DAY_MS;
/** Retention of finished PDFs, which can be printed again. */
const PDF_KEPT_MS = 7 * DAY_MS;
/** Number of objects per statement for their runs and pictures. */
const BATCH = 1_000;
/** Group of the store's own mark (`object-storage.server.ts`). */
export const OWN_GROUP = "installation";

/** Names that this program uses, also for unfinished files: the same bucket may have objects of other programs. */
const OF_RUN = /^[\w-]{22}\/([\w-]{22}\.webp|[\w-]{43}\.pdf)(\.[0-9a-f]{12}\.part)?$/;
const PROBE = /^probe-[0-9a-f]{16}\/probe(\.[0-9a-f]{12}\.part)?$/;
const isOurs = (key: ObjectKey): boolean => OF_RUN.test(key) || PROBE.test(key);

interface RunObjectsOptions {
  db: Db;
  objects: Pick<ObjectStore, "list" | "delete">;
  log: EventLog;
}

/**
 * Deletes objects of runs. Rows are deleted first, then objects, so that no row refers to a missing object; an interruption
 * leaves orphans, which are found later.
 */
export function createRunObjects({ db, objects, log }: RunObjectsOptions) {
  return { deleteOf, deleteOrphans };

  /** Deletes all objects of runs whose rows are deleted. Never rejects: the rest is deleted later as orphans. */
  async function deleteOf(runIds: string[]): Promise<void> {
    for (const runId of runIds) {
      try {
        await deleteAll(objects.list(runId));
      } catch (error) {
        return log("objects of deleted runs could not be deleted yet", { runs: runIds.length, why: reasonOf(error) });
      }
    }
  }

  /** @returns number of objects that were deleted */
  async function deleteOrphans(now = Date.now()): Promise<number> {
    let deleted = 0;
    for await (const batch of inBatches(objects.list(), BATCH)) {
      const unneeded = await unneededOf(batch.filter(({ key, storedAt }) => isOurs(key) && storedAt <= now - ORPHAN_AFTER_MS), now);
      if (unneeded.length > 0) await objects.delete(unneeded);
      deleted += unneeded.length;
    }
    if (deleted > 0) log("unused objects deleted", { objects: deleted });
    return deleted;
  }

  async function unneededOf(batch: StoredObject[], now: number): Promise<ObjectKey[]> {
    const groups = [...new Set(batch.map(({ key }) => groupOf(key)))];
    const runs = new Map((await db.selectFrom("run").select(["id", "status"]).where("id", "in", groups).execute()).map(({ id, status }) => [id, status]));
    const named = await namedAmong(batch, groups);
    return batch.filter(({ key, storedAt }) => !isNeeded(key, storedAt)).map(({ key }) => key);

    function isNeeded(key: ObjectKey, storedAt: number): boolean {
      const status = runs.get(groupOf(key));
      // Its pages may wait for the database for days.
      if (status === "queued" || status === "running") return true;
      return named.has(key) || (status !== undefined && key.endsWith(".pdf") && storedAt > now - PDF_KEPT_MS);
    }
  }

  async function namedAmong(batch: StoredObject[], groups: string[]): Promise<Set<string>> {
    const hashes = batch.map(({ key }) => key.slice(key.indexOf("/") + 1).replace(/\.webp$/, ""));
    const rows = await db.selectFrom("stored_picture").select(["run_id", "hash"]).where("run_id", "in", groups).where("hash", "in", hashes).execute();
    return new Set(rows.map(({ run_id, hash }) => pictureKey(run_id, hash)));
  }

  async function deleteAll(found: AsyncIterable<StoredObject>): Promise<void> {
    for await (const batch of inBatches(found, BATCH)) await objects.delete(batch.map(({ key }) => key));
  }
}
