import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** All engines of a run by name. Reviews name their rule with the source, such as `axe/image-alt`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("engines", "text", (column) => column.notNull().defaultTo("[]")).execute();
  // No data to change in PostgreSQL: its first version is newer than this migration.
  if (!isPostgres(db)) {
    await sql`
      update run set engines = json_array(json_object('name', engine_name, 'version', engine_version))
      where engine_name is not null and engine_version is not null`.execute(db);
  }
  await db.schema.alterTable("run").dropColumn("engine_name").execute();
  await db.schema.alterTable("run").dropColumn("engine_version").execute();
  await sql`update review set rule = 'axe/' || rule`.execute(db);
}
