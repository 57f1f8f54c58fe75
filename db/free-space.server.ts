import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { isPostgres } from "./dialect";
import type { Db } from "./schema";

const PAGES_PER_STEP = 256;

/** Returns free space of the database to the file system, in small steps between which requests can run. */
export async function freeSpace(db: Db): Promise<void> {
  // PostgreSQL reuses free space itself.
  if (isPostgres(db)) return;
  let before = Infinity;
  for (;;) {
    const free = await freePages(db);
    // A database of another program may not be able to shrink.
    if (free === 0 || free >= before) return;
    before = free;
    await db.transaction().execute(async (trx) => {
      // better-sqlite3 runs one step of a statement without rows, and one step of this pragma frees one page.
      for (let page = 0; page < PAGES_PER_STEP; page += 1) await sql`pragma incremental_vacuum`.execute(trx);
    });
    await nextTurn();
  }
}

async function freePages(db: Db): Promise<number> {
  const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db);
  return rows[0]?.freelist_count ?? 0;
}
