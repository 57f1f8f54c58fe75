import type { Kysely } from "kysely";

/** A rule may be run in several conditions, such as in dark colours; its outcome may hold in some of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("finding").addColumn("conditions", "text").execute();
}
