import type { Kysely } from "kysely";

/** First sign-in of a user: accounts that were never used or confirmed can be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("user").addColumn("signed_in_at", "integer").execute();
  // First sign-in of existing accounts is unknown.
  await (db as Kysely<{ user: { signed_in_at: number | null; created_at: number } }>)
    .updateTable("user")
    .set((eb) => ({ signed_in_at: eb.ref("created_at") }))
    .execute();
}
