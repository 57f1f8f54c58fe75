import type { Kysely } from "kysely";

/** When an order was taken back that had been paid beside another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("checkout_order").addColumn("given_back_at", "integer").execute();
}
