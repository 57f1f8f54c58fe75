import type { Db } from "db/schema";

const ID = 1;

/** Probe write: shows whether the database can be written. */
export async function probeWrite(db: Db, at = Date.now()): Promise<void> {
  await db
    .insertInto("probe")
    .values({ id: ID, at })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ at }))
    .execute();
}
