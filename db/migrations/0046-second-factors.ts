import type { Kysely } from "kysely";

/** Second factor of local accounts: an app with codes, recovery codes, and sign-ins that wait for one of these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("code_app")
    .addColumn("user_id", "text", (column) => column.primaryKey().notNull().references("user.id").onDelete("cascade"))
    .addColumn("secret", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("confirmed_at", "integer")
    .addColumn("last_step", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("recovery_code")
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("code_hash", "text", (column) => column.notNull())
    .addColumn("used_at", "integer")
    .addPrimaryKeyConstraint("recovery_code_key", ["user_id", "code_hash"])
    .execute();
  await db.schema
    .createTable("pending_sign_in")
    .addColumn("id_hash", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("is_told", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("pending_sign_in_user").on("pending_sign_in").column("user_id").execute();
}
