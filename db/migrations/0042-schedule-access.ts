import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** Schedules of sites that are not public keep their access data, and pause if it can no longer be read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // PostgreSQL: names of constraints are unique in a schema.
  if (isPostgres(db)) await db.schema.alterTable("schedule").dropConstraint("schedule_once").execute();
  // New table, because SQLite cannot change a check.
  await db.schema
    .createTable("schedule_with_access")
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
    .addColumn("paused", "text", (column) => column.check(sql`paused in ('not_covered', 'level', 'access')`))
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("wait_ms", "integer")
    .addColumn("wait_for", "text")
    .addColumn("access", "text")
    .addUniqueConstraint("schedule_once", ["owner", "url", "scope"])
    .execute();
  const kept = sql.raw(
    "id, owner, url, scope, level, max_pages, left_out, every, hour, anchor_at, next_run_at, awaiting_since, mails, paused, created_at, wait_ms, wait_for",
  );
  await sql`insert into schedule_with_access (${kept}) select ${kept} from schedule`.execute(db);
  await db.schema.dropTable("schedule").execute();
  await db.schema.alterTable("schedule_with_access").renameTo("schedule").execute();
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
