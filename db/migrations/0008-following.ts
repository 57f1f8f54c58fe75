import { sql, type Kysely } from "kysely";

/** History, shared links, reviews and schedules of runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Index for the runs of one address, newest first.
  await db.schema
    .createIndex("run_history")
    .on("run")
    .columns(["owner", "url", "scope", "created_at desc"])
    .where(sql.ref("deleted_at"), "is", null)
    .execute();

  await db.schema
    .createTable("share")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("share_run").on("share").columns(["run_id", "created_at"]).execute();
  await db.schema.createIndex("share_expiry").on("share").column("expires_at").execute();

  await db.schema
    .createTable("review")
    .addColumn("owner", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("path", "text", (column) => column.notNull())
    .addColumn("rule", "text", (column) => column.notNull())
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addColumn("answer", "text", (column) => column.notNull().check(sql`answer in ('problem', 'no_problem', 'ignore')`))
    .addColumn("reason", "text")
    .addColumn("answered_by", "text", (column) => column.notNull())
    .addColumn("answered_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("review_key", ["owner", "origin", "path", "rule", "fingerprint"])
    .addCheckConstraint("review_reason", sql`answer <> 'ignore' or reason is not null`)
    .modifyEnd(sql`without rowid`)
    .execute();

  await db.schema
    .createTable("schedule")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("owner", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("scope", "text", (column) => column.notNull().check(sql`scope in ('page', 'site')`))
    .addColumn("level", "text", (column) => column.notNull())
    .addColumn("max_pages", "integer")
    .addColumn("left_out", "text")
    .addColumn("every", "text", (column) => column.notNull().check(sql`every in ('week', 'month')`))
    .addColumn("anchor_at", "integer", (column) => column.notNull())
    .addColumn("next_run_at", "integer", (column) => column.notNull())
    .addColumn("awaiting_since", "integer")
    .addColumn("mails", "integer", (column) => column.notNull().defaultTo(1))
    .addColumn("paused", "text", (column) => column.check(sql`paused in ('not_covered', 'level')`))
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addUniqueConstraint("schedule_once", ["owner", "url", "scope"])
    .execute();
  await db.schema
    .createIndex("schedule_due")
    .on("schedule")
    .column("next_run_at")
    .where(sql.ref("paused"), "is", null)
    .execute();
  await db.schema
    .createIndex("schedule_awaiting")
    .on("schedule")
    .column("awaiting_since")
    .where(sql.ref("awaiting_since"), "is not", null)
    .execute();
}
