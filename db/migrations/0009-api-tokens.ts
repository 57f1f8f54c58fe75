import type { Kysely } from "kysely";

/** Access tokens for the API, and idempotency keys of its requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_token")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("ending", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer")
    .addColumn("last_used_at", "integer")
    .execute();
  await db.schema.createIndex("api_token_user").on("api_token").columns(["user_id", "created_at"]).execute();
  await db.schema.createIndex("api_token_expires").on("api_token").column("expires_at").execute();

  await db.schema
    .createTable("idempotency_key")
    .addColumn("token_id", "text", (column) => column.notNull().references("api_token.id").onDelete("cascade"))
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("request_hash", "text", (column) => column.notNull())
    .addColumn("run_id", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("idempotency_key_pk", ["token_id", "key"])
    .execute();
  await db.schema.createIndex("idempotency_key_created").on("idempotency_key").column("created_at").execute();
}
