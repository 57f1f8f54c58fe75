import { sql, type Kysely } from "kysely";

/**
 * A website whose first scan failed uses no slot of a plan. Existing registrations keep their slots, because it is unknown
 * whether they were ever scanned.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("registered_url").addColumn("checked_at", "integer").execute();
  await db.schema.alterTable("registered_url").addColumn("freed_by", "text").execute();
  await sql`update registered_url set checked_at = added_at`.execute(db);
}
