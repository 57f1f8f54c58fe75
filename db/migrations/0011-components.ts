import type { Kysely } from "kysely";

/** Which elements look alike, so that a report can show a component once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("element").addColumn("component", "text").execute();
}
