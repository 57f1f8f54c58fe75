import { sql, type Kysely } from "kysely";

/** Settings of a scan request, deleted runs, and used trial scans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("max_pages", "integer").execute();
  await db.schema.alterTable("run").addColumn("left_out", "text").execute();
  await db.schema.alterTable("run").addColumn("access", "text").execute();
  await db.schema.alterTable("run").addColumn("trial", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("run").addColumn("deleted_at", "integer").execute();
  await db.schema
    .alterTable("user")
    .addColumn("trial_scans", "integer", (column) => column.notNull().defaultTo(0))
    .execute();

  // Index for a user's list, newest first. Filters read only the index; for SQLite, it includes the column of its own condition.
  await db.schema.dropIndex("run_owner").execute();
  await db.schema
    .createIndex("run_list")
    .on("run")
    .columns(["owner", "created_at desc", "id desc", "status", "url", "deleted_at"])
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("run_deleted")
    .on("run")
    .columns(["deleted_at", "owner"])
    .where(sql.ref("deleted_at"), "is not", null)
    .execute();
}
