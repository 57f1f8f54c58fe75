import type { Kysely } from "kysely";

/** Key of similar elements, so that a report can show a component once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("element").addColumn("component", "text").execute();
}
