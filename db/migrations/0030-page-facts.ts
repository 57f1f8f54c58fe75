import type { Kysely } from "kysely";

/** Facts of the pages of a site until its run is over; then the rules about whole sites compare them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("page_facts")
    .addColumn("page_id", "integer", (column) => column.primaryKey().references("page.id").onDelete("cascade"))
    .addColumn("facts", "text", (column) => column.notNull())
    .execute();
}
