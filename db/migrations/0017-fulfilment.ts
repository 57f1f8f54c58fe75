import type { Kysely } from "kysely";

/** Result that led to an order, and the website's scan that was started after payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("checkout_order").addColumn("check_id", "text").execute();
  await db.schema.alterTable("checkout_order").addColumn("run_id", "text").execute();
}
