import type { Kysely } from "kysely";

/** In which browsers somebody has signed in: they are told of a new one, and an old one keeps its place when many try to sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("known_browser")
    .addColumn("id_hash", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("seen_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("known_browser_key", ["id_hash", "user_id"])
    .execute();
  await db.schema.createIndex("known_browser_user").on("known_browser").column("user_id").execute();
}
