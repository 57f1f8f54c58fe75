import { sql, type Kysely } from "kysely";

/** Size of the evidence of each run (-1: not measured yet), and how much of it is still stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("run")
    .addColumn("evidence_bytes", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("run")
    .addColumn("evidence", "text", (column) => column.notNull().defaultTo("kept"))
    .execute();
  // Existing runs are measured while the server runs.
  await sql`update run set evidence_bytes = -1 where pages > 0`.execute(db);
  // One row, rewritten regularly, to test whether the storage accepts writes.
  await db.schema
    .createTable("probe")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("at", "integer", (column) => column.notNull())
    .execute();
}
