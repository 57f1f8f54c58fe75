import { sql, type Kysely } from "kysely";

/**
 * A website whose first scan failed takes no place. Of what is registered already nobody knows any more whether it was ever
 * scanned: it stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("registered_url").addColumn("checked_at", "integer").execute();
  await db.schema.alterTable("registered_url").addColumn("freed_by", "text").execute();
  await sql`update registered_url set checked_at = added_at`.execute(db);
}
