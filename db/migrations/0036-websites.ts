import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/** Website of a run, and an index that is enough for the list of websites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Computed from the address, so that both always match: scheme and host end at the first slash after `https://`.
  const origin = isPostgres(db)
    ? sql`text collate "C" generated always as (substr(url, 1, 7 + strpos(substr(url, 9), '/'))) stored`
    : sql`text generated always as (substr(url, 1, 7 + instr(substr(url, 9), '/'))) virtual`;
  await sql`alter table run add column origin ${origin}`.execute(db);
  await db.schema
    .createIndex("run_website")
    .on("run")
    .columns(["owner", "origin", "created_at desc", "scope", "status"])
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
}
