import type { Kysely } from "kysely";

/** Canonical address of a page, so that a crawl does not visit it after a restart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("known_address").addColumn("canonical", "text").execute();
}
