import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** Number of a run's pages that were checked in part, so that lists need not read the pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("partly_pages", "integer", (column) => column.notNull().defaultTo(0)).execute();
  // No data to change in PostgreSQL: its first version is newer than this migration.
  if (isPostgres(db)) return;
  await sql`
    update run set partly_pages = counted.pages
    from (
      select run_id, count(*) as pages from page
      where status = 'succeeded' and (
        json_array_length(coalesce(partial, '[]')) > 0
        or json_array_length(coalesce(gaps ->> '$.frames', '[]')) > 0
        or json_array_length(coalesce(gaps ->> '$.late', '[]')) > 0
        or coalesce(gaps ->> '$.closedShadowRoots', 0) > 0
        or coalesce(gaps ->> '$.concealed', 0)
        or coalesce(gaps ->> '$.unfinished', 0)
        or gaps ->> '$.missing' is not null
      )
      group by run_id
    ) as counted
    where counted.run_id = run.id`.execute(db);
}
