import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "db/schema";
import { UNDO_MINUTES } from "./run-list.server";

const PAGES_PER_STEP = 256;

export interface RetentionOptions {
  db: Db;
  /** Runs deleted in one transaction: nobody else writes in that time. */
  batch?: number;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

/** Deletes what has been kept long enough. */
export function createRetention({ db, batch = 20, log = () => {} }: RetentionOptions) {
  return { deleteExpired };

  /**
   * Deletes all runs that have expired at `now` (Unix time in ms), or were thrown away and cannot be had back any more,
   * with everything that belongs to them, in small steps
   * that let requests through, and gives the space back to the file system. Resolves with the number of runs.
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
    const { numDeletedRows } = await db
      .deleteFrom("run")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("run")
          .select("id")
          .where((run) =>
            run.or([run("expires_at", "<=", now), run("deleted_at", "<=", now - UNDO_MINUTES * 60_000)]),
          )
          .limit(batch),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

/** Gives the space of what was deleted back to the file system, in small steps that let requests through. */
export async function freeSpace(db: Db): Promise<void> {
  let before = Infinity;
  for (;;) {
    const free = await freePages(db);
    // A database that was made elsewhere may not be able to shrink.
    if (free === 0 || free >= before) return;
    before = free;
    await db.transaction().execute(async (trx) => {
      // better-sqlite3 steps a statement without rows once, and one step of this one frees one page.
      for (let page = 0; page < PAGES_PER_STEP; page += 1) await sql`pragma incremental_vacuum`.execute(trx);
    });
    await nextTurn();
  }
}

async function freePages(db: Db): Promise<number> {
  const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db);
  return rows[0]?.freelist_count ?? 0;
}
