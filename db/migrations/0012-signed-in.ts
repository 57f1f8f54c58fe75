import type { Kysely } from "kysely";

/** Whether somebody has ever signed in: an account that nobody uses or confirms need not be kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("user").addColumn("signed_in_at", "integer").execute();
  // Of those that are there already nobody knows.
  await (db as Kysely<{ user: { signed_in_at: number | null; created_at: number } }>)
    .updateTable("user")
    .set((eb) => ({ signed_in_at: eb.ref("created_at") }))
    .execute();
}
