import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** Runs, their pages and findings, and the jobs that work on them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRuns(db);
  await createPages(db);
  await createFindings(db);
  await createJobs(db);
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("run")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("owner", "text")
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("scope", "text", (column) => column.notNull().check(sql`scope in ('page', 'site')`))
    .addColumn("standard_version", "text", (column) => column.notNull())
    .addColumn("standard_level", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) =>
      column.notNull().check(sql`status in ('queued', 'running', 'succeeded', 'failed', 'canceled')`),
    )
    .addColumn("reason", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("started_at", "integer")
    .addColumn("finished_at", "integer")
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .addColumn("engine_name", "text")
    .addColumn("engine_version", "text")
    .addColumn("pages", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("failed_pages", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("violations", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("incomplete", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("passes", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("inapplicable", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("elements", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("critical", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("serious", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("moderate", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("minor", "integer", (column) => column.notNull().defaultTo(0))
    .execute();

  // Index for a user's list, newest first.
  await db.schema
    .createIndex("run_owner")
    .on("run")
    .columns(["owner", "created_at desc", "id desc"])
    .execute();
  // Index for statistics, which do not read the table.
  await db.schema
    .createIndex("run_statistics")
    .on("run")
    .columns(["finished_at", "site", "elements"])
    .where(sql.ref("status"), "=", sql.lit("succeeded"))
    .execute();
  await db.schema.createIndex("run_expiry").on("run").column("expires_at").execute();
}

async function createPages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("page")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("final_url", "text")
    .addColumn("status", "text", (column) =>
      column.notNull().check(sql`status in ('queued', 'running', 'succeeded', 'failed')`),
    )
    .addColumn("reason", "text")
    .addColumn("detail", "text")
    .addColumn("http_status", "integer")
    .addColumn("title", "text")
    .addColumn("lang", "text")
    .addColumn("partial", "text")
    .addColumn("gaps", "text")
    .addColumn("checked_at", "integer")
    .addColumn("duration_ms", "integer")
    .addUniqueConstraint("page_url", ["run_id", "url"])
    .execute();
}

async function createFindings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("rule")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("rule_id", "text", (column) => column.notNull())
    .addColumn("engine_version", "text", (column) => column.notNull())
    .addColumn("tags", "text", (column) => column.notNull())
    .addColumn("help", "text", (column) => column.notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("help_url", "text", (column) => column.notNull())
    .addUniqueConstraint("rule_name", ["engine_version", "source", "rule_id"])
    .execute();

  // Most findings are a rule that passed or did not apply. The table is its own index (`without rowid`), in the order in which
  // pages are read: such a finding takes some 25 bytes, and the findings of a page are one range.
  await db.schema
    .createTable("finding")
    .addColumn("page_id", "integer", (column) => column.notNull().references("page.id").onDelete("cascade"))
    .addColumn("category", "text", (column) =>
      column.notNull().check(sql`category in ('violations', 'incomplete', 'passes', 'inapplicable')`),
    )
    .addColumn("rule_id", "integer", (column) => column.notNull().references("rule.id"))
    .addColumn("impact", "text")
    .addColumn("element_count", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("finding_key", ["page_id", "category", "rule_id"])
    .modifyEnd(sql`without rowid`)
    .execute();

  await db.schema
    .createTable("element")
    .addColumn("page_id", "integer", (column) => column.notNull())
    .addColumn("category", "text", (column) => column.notNull())
    .addColumn("rule_id", "integer", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("target", "text", (column) => column.notNull())
    .addColumn("html", "text", (column) => column.notNull())
    .addColumn("html_cut", "integer", (column) => column.notNull())
    .addColumn("impact", "text")
    .addColumn("checks", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("element_key", ["page_id", "category", "rule_id", "position"])
    .addForeignKeyConstraint(
      "element_finding",
      ["page_id", "category", "rule_id"],
      "finding",
      ["page_id", "category", "rule_id"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .modifyEnd(sql`without rowid`)
    .execute();
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("job")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("queue", "text", (column) => column.notNull())
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('queued', 'running', 'done', 'failed')`),
    )
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("max_attempts", "integer", (column) => column.notNull().defaultTo(3))
    .addColumn("deaths", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("run_at", "integer", (column) => column.notNull())
    .addColumn("lease_until", "integer")
    .addColumn("heartbeat_at", "integer")
    .addColumn("leased_by", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("finished_at", "integer")
    .addColumn("error", "text")
    // Lease: every running job has a worker and an end time.
    .addCheckConstraint(
      "job_lease",
      sql`(state = 'running') = (leased_by is not null and lease_until is not null)`,
    )
    .execute();

  // Order of insertion; SQLite has it itself.
  if (isPostgres(db)) await db.schema.alterTable("job").addColumn("rowid", "integer", (column) => column.generatedAlwaysAsIdentity()).execute();

  await db.schema.createIndex("job_run").on("job").column("run_id").execute();
  // Indexes of waiting and running jobs, without the finished ones, which are by far the most.
  await db.schema
    .createIndex("job_waiting")
    .on("job")
    .columns(["queue", "run_at"])
    .where(sql.ref("state"), "=", sql.lit("queued"))
    .execute();
  await db.schema
    .createIndex("job_running")
    .on("job")
    .columns(["queue", "lease_until"])
    .where(sql.ref("state"), "=", sql.lit("running"))
    .execute();
}
