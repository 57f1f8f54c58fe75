import type { Kysely } from "kysely";

/** What several processes of an installation share: documents that one asks another to print, and counts of rate limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("print")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("html", "text", (column) => column.notNull())
    .addColumn("pdf", "blob")
    .addColumn("error", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("rate_limit")
    .addColumn("key", "text", (column) => column.primaryKey().notNull())
    .addColumn("points", "integer", (column) => column.notNull())
    .addColumn("expire", "integer")
    .execute();
}
