import { sql, type Kysely } from "kysely";

/** Purchases at the payment provider, and the URLs that they cover. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("customer")
    .addColumn("user_id", "text", (column) => column.primaryKey().notNull().references("user.id").onDelete("cascade"))
    .addColumn("customer_id", "text", (column) => column.unique())
    .addColumn("several", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("reconciled_at", "integer")
    .execute();
  await db.schema.createIndex("customer_reconciled").on("customer").column("reconciled_at").execute();

  await db.schema
    .createTable("purchase")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('subscription', 'payment')`))
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("grants", "integer", (column) => column.notNull())
    .addColumn("plan_name", "text", (column) => column.notNull())
    .addColumn("url_limit", "integer", (column) => column.notNull())
    .addColumn("amount", "integer", (column) => column.notNull())
    .addColumn("currency", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("period_start", "integer")
    .addColumn("period_end", "integer")
    .addColumn("cancel_at_period_end", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("by_invoice", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("paused", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("refunded", "text")
    .addColumn("disputed", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("urls_version", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("urls_written", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("purchase_user").on("purchase").columns(["user_id", "created_at"]).execute();
  await db.schema
    .createIndex("purchase_unwritten")
    .on("purchase")
    .column("id")
    .where(sql.ref("urls_version"), ">", sql.ref("urls_written"))
    .execute();

  await db.schema
    .createTable("registered_url")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("purchase_id", "text", (column) => column.notNull().references("purchase.id").onDelete("cascade"))
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("added_at", "integer", (column) => column.notNull())
    .addColumn("removed_at", "integer")
    .execute();
  await db.schema
    .createIndex("registered_url_once")
    .unique()
    .on("registered_url")
    .columns(["purchase_id", "origin"])
    .where(sql.ref("removed_at"), "is", null)
    .execute();

  await db.schema
    .createTable("checkout_order")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("price_id", "text", (column) => column.notNull())
    .addColumn("url", "text")
    .addColumn("checkout_id", "text", (column) => column.unique())
    .addColumn("fulfilled_at", "integer")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("billing_event")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("customer_id", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("received_at", "integer", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("handled_at", "integer")
    .addColumn("outcome", "text")
    .execute();
  await db.schema.createIndex("billing_event_received").on("billing_event").column("received_at").execute();

  // Purchases replace this table.
  await db.schema.dropTable("entitlement").execute();
}
