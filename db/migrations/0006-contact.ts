import { sql, type Kysely } from "kysely";

/** Messages to the operator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("message")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("locale", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("posted_at", "integer")
    .execute();
  await db.schema.createIndex("message_created").on("message").column("created_at").execute();
  await db.schema
    .createIndex("message_waiting")
    .on("message")
    .column("created_at")
    .where(sql.ref("posted_at"), "is", null)
    .execute();
}
