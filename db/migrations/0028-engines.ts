import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** A run names every engine that took part. A person's answer names its rule with the source, such as `axe/image-alt`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("run").addColumn("engines", "text", (column) => column.notNull().defaultTo("[]")).execute();
  // Databases on PostgreSQL are younger than this.
  if (!isPostgres(db)) {
    await sql`
      update run set engines = json_array(json_object('name', engine_name, 'version', engine_version))
      where engine_name is not null and engine_version is not null`.execute(db);
  }
  await db.schema.alterTable("run").dropColumn("engine_name").execute();
  await db.schema.alterTable("run").dropColumn("engine_version").execute();
  await sql`update review set rule = 'axe/' || rule`.execute(db);
}
