import type { Kysely } from "kysely";

/** Plans granted by an administrator, which the payment provider does not know, and limits of single accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("purchase").addColumn("granted", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("user").addColumn("most_waiting", "integer").execute();
  await db.schema.alterTable("user").addColumn("most_pages", "integer").execute();
}
