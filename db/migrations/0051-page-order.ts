import type { Kysely } from "kysely";

/** Pages in their order: without it, each new page of a large site costs as much as the site has pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("page_run_position").on("page").columns(["run_id", "position"]).execute();
}
