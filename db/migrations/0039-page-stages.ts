import type { Kysely } from "kysely";

/** Duration and limit of each stage of a page's check. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("page").addColumn("stages", "text").execute();
}
