import type { Kysely } from "kysely";

/** Which page links to another one, so that whoever mends a broken link knows where it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("page").addColumn("linked_from", "text").execute();
  await db.schema.alterTable("known_address").addColumn("linked_from", "text").execute();
}
