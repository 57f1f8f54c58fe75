import type { Kysely } from "kysely";

/**
 * Pictures in an object store. A separate table, because a new column of `picture` would be stored after the image and be slow to read.
 * `storage_mark` identifies this database in the store.
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
