import { setImmediate as nextTurn } from "node:timers/promises";
import { freeSpace } from "db/free-space.server";
import type { Db } from "db/schema";
import type { EventLog } from "~/platform/event-log";
import { UNDO_MS } from "./list.server";

export interface RetentionOptions {
  db: Db;
  /** Deletes the objects of runs in the object store. */
  deleteObjectsOf?: (runIds: string[]) => Promise<void>;
  /** Number of runs deleted in one transaction, which blocks all other writes. */
  batch?: number;
  log?: EventLog;
}

/** Deletion of expired runs. */
export function createRetention({ db, deleteObjectsOf = () => Promise.resolve(), batch = 20, log = () => {} }: RetentionOptions) {
  return { deleteExpired };

  /**
   * Deletes all runs that have expired at `now` (Unix time in ms), or that the user has deleted and can no longer restore, with
   * all their data. Works in small steps, so that requests are served in between. Returns the space to the file system.
   * @returns number of runs
   */
  async function deleteExpired(now = Date.now()): Promise<number> {
    let deleted = 0;
    for (;;) {
      const step = await deleteBatch(now);
      deleted += step;
      if (step < batch) break;
      await nextTurn();
    }
    if (deleted > 0) {
      await freeSpace(db);
      log("expired runs deleted", { runs: deleted });
    }
    return deleted;
  }

  async function deleteBatch(now: number): Promise<number> {
    const deleted = await db
      .deleteFrom("run")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("run")
          .select("id")
          .where((run) =>
            run.or([run("expires_at", "<=", now), run("deleted_at", "<=", now - UNDO_MS)]),
          )
          .limit(batch),
      )
      .returning("id")
      .execute();
    if (deleted.length > 0) await deleteObjectsOf(deleted.map(({ id }) => id));
    return deleted.length;
  }
}
