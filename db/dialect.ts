import { PostgresAdapter, sql, type Kysely, type RawBuilder } from "kysely";

/** True for a PostgreSQL database, false for SQLite. */
export const isPostgres = (db: Pick<Kysely<unknown>, "getExecutor">): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Member of a JSON object in a text column, as text; null if it is missing. */
export function jsonMember(db: Pick<Kysely<unknown>, "getExecutor">, column: string, name: string): RawBuilder<string | null> {
  return isPostgres(db) ? sql`(${sql.ref(column)}::json ->> ${sql.lit(name)})` : sql`(${sql.ref(column)} ->> ${sql.lit(name)})`;
}

/** Distinct values of an expression in a group, as a JSON list. */
export function jsonListOf(db: Pick<Kysely<unknown>, "getExecutor">, value: RawBuilder<string>): RawBuilder<string> {
  return isPostgres(db) ? sql`json_agg(distinct ${value})::text` : sql`json_group_array(distinct ${value})`;
}
