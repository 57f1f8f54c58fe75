import type { Kysely } from "kysely";

/** Index of pages in their order: without it, the cost of each new page grows with the number of the site's pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("page_run_position").on("page").columns(["run_id", "position"]).execute();
}
