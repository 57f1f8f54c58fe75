import type { Kysely } from "kysely";

/** Time when an order was refunded because another one had been paid at the same time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("checkout_order").addColumn("given_back_at", "integer").execute();
}
