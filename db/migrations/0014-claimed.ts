import type { Kysely } from "kysely";

/** When a free check became its buyer's run; what they have read in it before paying stays open to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("claimed_at", "integer").execute();
}
