import { sql, type Kysely } from "kysely";

/**
 * Fair queue: the owner of a job and its position (`party`, `turn`), the jobs that exclude each other (`lane`), and the kind of
 * visit during a process crash (`visiting`): only a page that was visited alone is the cause. Earlier counts are
 * reset, as their cause is unknown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("party", "text", (column) => column.notNull().defaultTo("")).execute();
  await db.schema.alterTable("job").addColumn("turn", "real", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("job").addColumn("lane", "text").execute();
  await db.schema.alterTable("job").addColumn("visiting", "text").execute();
  await sql`update job set deaths = 0`.execute(db);

  await db.schema.alterTable("known_address").addColumn("deaths", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("known_address").addColumn("alone", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("known_address").dropColumn("attempts").execute();

  await db.schema.dropIndex("job_waiting").execute();
  await db.schema
    .createIndex("job_waiting")
    .on("job")
    .columns(["queue", "turn"])
    .where(sql.ref("state"), "=", sql.lit("queued"))
    .execute();
}
