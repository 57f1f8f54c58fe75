import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** Schedules by day and hour; changes of each run since the previous one; mails about finished runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendSchedules(db);

  await db.schema.alterTable("run").addColumn("changes", "text").execute();
  await db.schema
    .createIndex("run_uncompared")
    .on("run")
    .column("finished_at")
    .where(sql<boolean>`changes is null and status = 'succeeded' and owner is not null`)
    .execute();

  await db.schema.alterTable("run").addColumn("mail_when_done", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema
    .createIndex("run_mail")
    .on("run")
    .column("status")
    .where(sql<boolean>`mail_when_done = 1`)
    .execute();
  await db.schema.alterTable("user").addColumn("mails_when_done", "integer", (column) => column.notNull().defaultTo(1)).execute();
}

/** Rebuilds the table, because SQLite cannot change a check. */
async function extendSchedules(db: Kysely<unknown>): Promise<void> {
  // PostgreSQL: names of constraints are unique in a schema.
  if (isPostgres(db)) await db.schema.alterTable("schedule").dropConstraint("schedule_once").execute();
  await db.schema
    .createTable("schedule_by_hour")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("owner", "text", (column) => column.notNull().references("user.id").onDelete("cascade"))
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("scope", "text", (column) => column.notNull().check(sql`scope in ('page', 'site')`))
    .addColumn("level", "text", (column) => column.notNull())
    .addColumn("max_pages", "integer")
    .addColumn("left_out", "text")
    .addColumn("every", "text", (column) => column.notNull().check(sql`every in ('day', 'week', 'month')`))
    .addColumn("hour", "integer", (column) => column.check(sql`hour between 0 and 23`))
    .addColumn("anchor_at", "integer", (column) => column.notNull())
    .addColumn("next_run_at", "integer", (column) => column.notNull())
    .addColumn("awaiting_since", "integer")
    .addColumn("mails", "integer", (column) => column.notNull().defaultTo(1))
    .addColumn("paused", "text", (column) => column.check(sql`paused in ('not_covered', 'level')`))
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("wait_ms", "integer")
    .addColumn("wait_for", "text")
    .addUniqueConstraint("schedule_once", ["owner", "url", "scope"])
    .execute();
  const kept = sql.raw(
    "id, owner, url, scope, level, max_pages, left_out, every, anchor_at, next_run_at, awaiting_since, mails, paused, created_at, wait_ms, wait_for",
  );
  await sql`insert into schedule_by_hour (${kept}) select ${kept} from schedule`.execute(db);
  await db.schema.dropTable("schedule").execute();
  await db.schema.alterTable("schedule_by_hour").renameTo("schedule").execute();
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
