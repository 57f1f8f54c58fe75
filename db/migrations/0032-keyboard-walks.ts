import type { Kysely } from "kysely";

/** Stops of the walk with the Tab key, for a picture and a list in words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("keyboard_walk")
    .addColumn("page_id", "integer", (column) => column.primaryKey().references("page.id").onDelete("cascade"))
    .addColumn("stops", "text", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("whole", "integer", (column) => column.notNull())
    .addColumn("picture", "text")
    .addColumn("width", "integer", (column) => column.notNull())
    .addColumn("height", "integer", (column) => column.notNull())
    .execute();
}
