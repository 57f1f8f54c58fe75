import type { Kysely } from "kysely";

/** Single row, sealed with the secret of the last start: it shows when this secret is lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("secret_mark")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("sealed", "text", (column) => column.notNull())
    .execute();
}
