import type { Kysely } from "kysely";

/** Which other address a page stands for, so that a crawl that goes on after a crash does not visit that one, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("known_address").addColumn("canonical", "text").execute();
}
