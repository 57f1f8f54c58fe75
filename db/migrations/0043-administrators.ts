import type { Kysely } from "kysely";

/** Administrators, the link that creates the first one, disabled accounts, and a record of administrators' actions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("user").addColumn("administrator", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("user").addColumn("disabled_at", "integer").execute();
  await db.schema
    .createTable("audit_entry")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("at", "integer", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    // No foreign keys: an entry stays when the account is deleted.
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
