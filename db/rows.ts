import { sql, type Insertable, type Kysely, type RawBuilder } from "kysely";
import { isPostgres } from "./dialect";
import type { Database, Trx } from "./schema";

/** Column types of rows; SQLite needs none. */
export type RowTypes<Row> = Partial<Record<keyof Row & string, "text" | "bigint">>;

/**
 * Inserts rows with one parameter for all rows, or one for each column: building a statement with a parameter for each value takes
 * ten times as long as running it.
 * @param types types of the rows' columns
 */
export async function insertRows<Table extends keyof Database>(trx: Trx, table: Table, types: RowTypes<Insertable<Database[Table]>>, rows: Insertable<Database[Table]>[]): Promise<void> {
  const columns = sql.join(Object.keys(types).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) ${selectRows(trx, types, rows)}`.execute(trx);
}

/** Like `insertRows`, but overwrites rows with the same `key`. @param rows rows with different keys: PostgreSQL refuses to update a row twice */
export async function upsertRows<Table extends keyof Database>(
  trx: Trx,
  table: Table,
  { types, key }: { types: RowTypes<Insertable<Database[Table]>>; key: readonly (keyof Database[Table] & string)[] },
  rows: Insertable<Database[Table]>[],
): Promise<void> {
  const columns = Object.keys(types);
  const others = columns.filter((column) => !(key as readonly string[]).includes(column)).map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  // With a condition: without it, SQLite reads `on` as part of the query.
  await sql`insert into ${sql.table(table)} (${refs(columns)}) select * from (${selectRows(trx, types, rows)}) as given where true on conflict (${refs(key)}) do update set ${sql.join(others)}`.execute(trx);
}

/** Rows as a table. @returns `select` of the columns, in the order of `types` */
export function selectRows<Row extends object>(db: Pick<Kysely<Database>, "getExecutor">, types: RowTypes<Row>, rows: Row[]): RawBuilder<Row> {
  const columns = Object.entries(types) as [keyof Row & string, string][];
  if (!isPostgres(db)) {
    const values = columns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
    return sql`select ${sql.join(values)} from json_each(${JSON.stringify(rows.map((row) => columns.map(([column]) => row[column])))})`;
  }
  // Null for a missing value, as in JSON: a list needs a value.
  return sql`select * from unnest(${sql.join(columns.map(([column, type]) => sql`${rows.map((row) => row[column] ?? null)}::${sql.raw(type)}[]`))})`;
}
