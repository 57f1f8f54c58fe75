import type { Kysely } from "kysely";

/** Conditions of a rule, such as dark colours; an outcome may apply to some of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("finding").addColumn("conditions", "text").execute();
}
