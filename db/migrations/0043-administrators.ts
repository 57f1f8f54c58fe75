import type { Kysely } from "kysely";

/** Accounts that administer, the link that makes the first one, accounts that are disabled, and a record of what administrators did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("user").addColumn("administrator", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("user").addColumn("disabled_at", "integer").execute();
  await db.schema
    .createTable("audit_entry")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("at", "integer", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    // Without references: an entry stays when the account is deleted.
    .addColumn("actor_id", "text")
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("subject_id", "text")
    .addColumn("subject", "text")
    .addColumn("details", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("audit_entry_time").on("audit_entry").column("at").execute();
  await db.schema.createIndex("audit_entry_subject").on("audit_entry").column("subject_id").execute();
  await db.schema
    .createTable("first_administrator_link")
    .addColumn("token_hash", "text", (column) => column.primaryKey().notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute();
}
