import { sql, type Kysely } from "kysely";

/**
 * Shared data of several processes: documents that one process asks another to print, counts of rate limits, and lanes. In all
 * processes together, one job runs in each lane.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("print")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("html", "text", (column) => column.notNull())
    .addColumn("pdf", "blob")
    .addColumn("error", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("rate_limit")
    .addColumn("key", "text", (column) => column.primaryKey().notNull())
    .addColumn("points", "integer", (column) => column.notNull())
    .addColumn("expire", "integer")
    .execute();
  await db.schema
    .createIndex("job_lane")
    .unique()
    .on("job")
    .columns(["queue", "lane"])
    .where((eb) => eb.and([eb(sql.ref("state"), "=", sql.lit("running")), eb(sql.ref("lane"), "is not", null)]))
    .execute();
}
