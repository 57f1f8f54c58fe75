import type { Kysely } from "kysely";

/** The page that links to an address, so that a broken link can be found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("page").addColumn("linked_from", "text").execute();
  await db.schema.alterTable("known_address").addColumn("linked_from", "text").execute();
}
