import { sql, type Kysely } from "kysely";

/** Payment of plans by a mailed link or invoice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("checkout_order")
    .addColumn("way", "text", (column) => column.notNull().defaultTo("checkout").check(sql`way in ('checkout', 'link', 'invoice')`))
    .execute();
  await db.schema.alterTable("checkout_order").addColumn("mailed_at", "integer").execute();

  await db.schema
    .createTable("invoice")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("number", "text")
    .addColumn("plan_name", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("amount", "integer", (column) => column.notNull())
    .addColumn("currency", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("due_at", "integer")
    .addColumn("url", "text")
    .addColumn("mailed_at", "integer")
    .execute();
  await db.schema.createIndex("invoice_user").on("invoice").columns(["user_id", "created_at"]).execute();
}
