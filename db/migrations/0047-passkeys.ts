import type { Kysely } from "kysely";

/** Passkeys as second factor of local accounts, and the challenges that their answers must contain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("passkey")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("counter", "integer", (column) => column.notNull())
    .addColumn("transports", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("last_used_at", "integer")
    .execute();
  await db.schema.createIndex("passkey_user").on("passkey").column("user_id").execute();
  await db.schema
    .createTable("passkey_challenge")
    .addColumn("challenge_hash", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .execute();
}
