import type { Kysely } from "kysely";

/** Picture of a page, with the positions of violations in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("page_picture")
    .addColumn("page_id", "integer", (column) => column.primaryKey().references("page.id").onDelete("cascade"))
    .addColumn("picture", "text", (column) => column.notNull())
    .addColumn("width", "integer", (column) => column.notNull())
    .addColumn("height", "integer", (column) => column.notNull())
    .addColumn("marks", "text", (column) => column.notNull())
    .execute();
}
