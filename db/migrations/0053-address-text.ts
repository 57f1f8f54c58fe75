import { sql, type Kysely } from "kysely";
import { isPostgres } from "db/dialect";

/**
 * Index for a text in the addresses of all accounts' scans, which otherwise reads every address. Only on
 * PostgreSQL, and only if its extension `pg_trgm` is installed or this user may install it: without the index, the search is slow but complete.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  // Not a partial index: the planner has no statistics for the texts of a part of the table.
  // The block undoes its own part if it fails; other errors stop the migration.
  await sql`
    do $$ begin
      create extension if not exists pg_trgm;
      create index run_address_text on run using gin (lower(url) gin_trgm_ops);
    exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
      raise notice 'addresses have no index of their texts: %', sqlerrm;
    end $$`.execute(db);
}
