import type { Kysely } from "kysely";

/** How long each stage of a page's check took, and its limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("page").addColumn("stages", "text").execute();
}
