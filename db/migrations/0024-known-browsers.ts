import type { Kysely } from "kysely";

/** Browsers in which a user has signed in: a new one causes a mail, and known ones have priority in the sign-in queue. */
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
