import type { Kysely } from "kysely";

/** Pages of sites that a worker without a free slot offers to other workers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("remote_check")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("request", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("outcome", "blob")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("remote_check_run").on("remote_check").column("run_id").execute();
}
