import type { Kysely } from "kysely";

/** Context of elements in words, and their pictures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("element").addColumn("place", "text").execute();
  await db.schema.alterTable("element").addColumn("picture", "text").execute();

  await db.schema
    .createTable("picture")
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("image", "blob", (column) => column.notNull())
    .addPrimaryKeyConstraint("picture_key", ["run_id", "hash"])
    .execute();
}
