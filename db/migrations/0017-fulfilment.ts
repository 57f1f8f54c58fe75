import type { Kysely } from "kysely";

/** The result that led to an order, and the scan of the website that was started once it was paid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("checkout_order").addColumn("check_id", "text").execute();
  await db.schema.alterTable("checkout_order").addColumn("run_id", "text").execute();
}
