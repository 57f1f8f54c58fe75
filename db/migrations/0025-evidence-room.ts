import { sql, type Kysely } from "kysely";

/** What the evidence of each run takes, and how much of it is still there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("run")
    .addColumn("evidence_bytes", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("run")
    .addColumn("evidence", "text", (column) => column.notNull().defaultTo("kept"))
    .execute();
  // Of those that are there already.
  await sql`update run set evidence_bytes =
    coalesce((select sum(length(element.html) + length(element.target) + length(element.checks))
      from element join page on page.id = element.page_id where page.run_id = run.id), 0)
    + coalesce((select sum(length(image)) from picture where picture.run_id = run.id), 0)`.execute(db);
  // One row, written again and again, to find out whether anything can be written.
  await db.schema
    .createTable("probe")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("at", "integer", (column) => column.notNull())
    .execute();
}
