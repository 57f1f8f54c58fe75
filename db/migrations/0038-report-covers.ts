import type { Kysely } from "kysely";

/** What an account shows on the cover of its reports. */
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
