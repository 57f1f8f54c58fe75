import type { Kysely } from "kysely";

/** Time when a free check was assigned to its buyer; the rules that it showed stay readable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("claimed_at", "integer").execute();
}
