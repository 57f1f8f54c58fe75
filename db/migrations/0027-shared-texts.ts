import { sql, type Kysely } from "kysely";

/** Long texts of elements, stored once in a run. Elements of older runs keep their own texts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("element_text")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addUniqueConstraint("element_text_once", ["run_id", "hash"])
    .execute();
  await db.schema.alterTable("element").renameTo("stored_element").execute();
  await db.schema.alterTable("stored_element").addColumn("html_text", "integer").execute();
  await db.schema.alterTable("stored_element").addColumn("checks_text", "integer").execute();
  // Subqueries instead of joins: a text is read only if it is selected.
  await sql`
    create view element as
    select page_id, category, rule_id, position, target, html_cut, impact, component, place, picture,
      coalesce((select text from element_text where id = html_text), html) as html,
      coalesce((select text from element_text where id = checks_text), checks) as checks
    from stored_element`.execute(db);
  // Index for the deletion order of evidence and its size per owner, without reading the runs.
  await sql`create index run_evidence on run (owner, evidence, created_at, status, evidence_bytes) where evidence_bytes > 0`.execute(db);
}
