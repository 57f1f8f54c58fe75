import { sql, type Kysely } from "kysely";

/** What the evidence of each run takes (-1: nobody has looked yet), and how much of it is still there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("run")
    .addColumn("evidence_bytes", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("run")
    .addColumn("evidence", "text", (column) => column.notNull().defaultTo("kept"))
    .execute();
  // Of those that are there already it is found out while the server runs.
  await sql`update run set evidence_bytes = -1 where pages > 0`.execute(db);
  // One row, written again and again, to find out whether anything can be written.
  await db.schema
    .createTable("probe")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("at", "integer", (column) => column.notNull())
    .execute();
}
