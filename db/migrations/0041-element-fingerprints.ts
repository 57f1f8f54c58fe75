import type { Kysely } from "kysely";

/** Fingerprint of an element, computed once: a report with thousands of accepted elements would compute it for each of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("stored_element").addColumn("fingerprint", "text").execute();
}
