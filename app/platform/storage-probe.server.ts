import type { Db } from "db/schema";

const ID = 1;

/** Probe read: shows whether the database answers, with the table that all pages need. SQLite answers `select 1` without its file. */
export async function probeRead(db: Db): Promise<void> {
  await db.selectFrom("run").select("id").limit(1).execute();
}

/** Probe write: fails if the database cannot be written. */
export async function probeWrite(db: Db, at = Date.now()): Promise<void> {
  await db
    .insertInto("probe")
    .values({ id: ID, at })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ at }))
    .execute();
}
