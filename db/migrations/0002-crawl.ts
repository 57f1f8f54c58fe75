import { sql, type Kysely } from "kysely";

/** State of the crawl of a site while it runs, and facts about it for its report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("run")
    .addColumn("known_pages", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable("run").addColumn("crawl", "text").execute();

  await db.schema
    .createTable("known_address")
    .addColumn("run_id", "text", (column) => column.notNull().references("run.id").onDelete("cascade"))
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("depth", "integer", (column) => column.notNull())
    .addColumn("chain", "integer", (column) => column.notNull())
    .addColumn("source", "text", (column) =>
      column.notNull().check(sql`source in ('start', 'link', 'sitemap', 'canonical')`),
    )
    .addColumn("state", "text", (column) =>
      column.notNull().defaultTo("waiting").check(sql`state in ('waiting', 'open', 'done')`),
    )
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("known_address_key", ["run_id", "key"])
    .modifyEnd(sql`without rowid`)
    .execute();
}
