import type { Kysely } from "kysely";

/**
 * Pictures whose bytes are in an object store, beside the table of those whose bytes are here: a column of that one would be read past
 * each image. And the mark by which the store knows its database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("stored_picture")
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("bytes", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("stored_picture_key", ["run_id", "hash"])
    .execute();
  await db.schema
    .createTable("storage_mark")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("mark", "text", (column) => column.notNull())
    .execute();
}
