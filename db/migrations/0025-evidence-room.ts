import { sql, type Kysely } from "kysely";

/** Size of each run's evidence (-1: not measured yet), and its state of storage: complete, short or deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("run")
    .addColumn("evidence_bytes", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("run")
    .addColumn("evidence", "text", (column) => column.notNull().defaultTo("kept"))
    .execute();
  // The running server measures existing runs.
  await sql`update run set evidence_bytes = -1 where pages > 0`.execute(db);
  // Single row, rewritten regularly to test whether the database accepts writes.
  await db.schema
    .createTable("probe")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("at", "integer", (column) => column.notNull())
    .execute();
}
