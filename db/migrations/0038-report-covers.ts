import type { Kysely } from "kysely";

/** Cover of an account's reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("report_cover")
    .addColumn("owner", "text", (column) => column.primaryKey().references("user.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("color", "text", (column) => column.notNull())
    .addColumn("logo", "blob")
    .addColumn("logo_type", "text")
    .execute();
}
