import type { Kysely } from "kysely";

/** Notes of people on findings, identified by fingerprint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("finding_note")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("owner", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("path", "text", (column) => column.notNull())
    .addColumn("rule", "text", (column) => column.notNull())
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("written_by", "text", (column) => column.notNull())
    .addColumn("written_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("finding_note_place").on("finding_note").columns(["owner", "origin", "path", "rule", "fingerprint"]).execute();
}
