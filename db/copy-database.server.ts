import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { isPostgres } from "./dialect";
import type { Database, Db } from "./schema";

type Table = Exclude<keyof Database, "element">;
type Row = Record<string, unknown>;

/** Key columns of each table; tables come after those that they refer to. */
const KEYS: { [Name in Table]: (keyof Database[Name] & string)[] } = {
  user: ["id"],
  run: ["id"],
  page: ["id"],
  rule: ["id"],
  finding: ["page_id", "category", "rule_id"],
  element_text: ["id"],
  stored_element: ["page_id", "category", "rule_id", "position"],
  picture: ["run_id", "hash"],
  stored_picture: ["run_id", "hash"],
  known_address: ["run_id", "key"],
  page_facts: ["page_id"],
  keyboard_walk: ["page_id"],
  page_picture: ["page_id"],
  job: ["id"],
  print: ["id"],
  remote_check: ["id"],
  rate_limit: ["key"],
  session: ["id_hash"],
  known_browser: ["id_hash", "user_id"],
  account_link: ["token_hash"],
  code_app: ["user_id"],
  recovery_code: ["user_id", "code_hash"],
  pending_sign_in: ["id_hash"],
  passkey: ["id"],
  passkey_challenge: ["challenge_hash"],
  invitation: ["id"],
  audit_entry: ["id"],
  first_administrator_link: ["token_hash"],
  customer: ["user_id"],
  purchase: ["id"],
  registered_url: ["id"],
  checkout_order: ["id"],
  invoice: ["id"],
  billing_event: ["id"],
  share: ["id"],
  review: ["owner", "origin", "path", "rule", "fingerprint"],
  criterion_review: ["owner", "scope", "address", "criterion"],
  acceptance: ["id"],
  finding_note: ["id"],
  report_cover: ["owner"],
  schedule: ["id"],
  api_token: ["id"],
  idempotency_key: ["token_id", "key"],
  mail: ["id"],
  message: ["id"],
  secret_mark: ["id"],
  storage_mark: ["id"],
  probe: ["id"],
};

/** Tables with row numbers from PostgreSQL. */
const NUMBERED: Table[] = ["page", "rule", "element_text", "registered_url", "secret_mark", "storage_mark", "probe"];

/** Columns for the order of the copy, if not the keys: jobs with the same turn are taken in the order of their rows. */
const ORDERS: Partial<Record<Table, string[]>> = { job: ["rowid"] };

/** Columns that each database computes itself. */
const COMPUTED: Partial<Record<Table, string>> = { run: "origin", job: "rowid" };

/** Rows per step, within the limits of a statement and of memory, also with pictures. */
const ROWS_PER_STEP = 200;

/** Error: the copy differs from the original, or would differ. */
export class CopyDiffers extends Error {
  override name = "CopyDiffers";
}

/**
 * Copies all rows into a migrated database that is empty, or has a part of them from an interrupted copy. Then compares all rows. The
 * original is locked for other writers.
 * @param onTable called after a table was copied and compared
 * @throws {CopyDiffers}
 */
export function copyDatabase(from: Db, to: Db, onTable: (table: string, rows: number) => void = () => {}): Promise<void> {
  const tables = Object.entries(KEYS) as [Table, string[]][];
  return from.transaction().execute(async (original) => {
    // No limit for the transaction: it stays open while the copy is written and read.
    if (isPostgres(original)) await sql`set local idle_in_transaction_session_timeout = 0`.execute(original);
    // Before the first change: another installation's database must stay unchanged.
    for (const [table, keys] of tables) await requirePart(original, to, table, keys);
    for (const [table, keys] of tables) {
      for await (const rows of rowsOf(original, table, ORDERS[table] ?? keys)) await insert(to, table, rows);
      const [wanted, copied] = [await digestOf(original, table, keys), await digestOf(to, table, keys)];
      if (wanted.hash !== copied.hash) throw new CopyDiffers(`The table ${table} has ${wanted.rows} rows, and its copy differs (${copied.rows} rows).`);
      onTable(table, copied.rows);
    }
    if (isPostgres(to)) for (const table of NUMBERED) await numberOn(to, table);
  });
}

async function requirePart(original: Kysely<Database>, to: Db, table: Table, keys: string[]): Promise<void> {
  for await (const rows of rowsOf(to, table, keys)) {
    const known = new Set((await rowsBetween(original, table, keys, rows)).map(textOf));
    if (!rows.every((row) => known.has(textOf(row)))) throw new CopyDiffers(`The table ${table} of the new database has rows of its own: a copy wants an empty database.`);
  }
}

/** Rows of a table in the order of these columns, in steps. */
async function* rowsOf(db: Kysely<Database>, table: Table, keys: string[]): AsyncGenerator<Row[]> {
  const columns = columnsOf(keys);
  for (let last: Row | undefined; ; ) {
    const rest = last ? sql`where (${columns}) > (${valuesOf(last, keys)})` : sql``;
    const { rows } = await sql<Row>`select *, ${columns} from ${sql.table(table)} ${rest} order by ${columns} limit ${ROWS_PER_STEP}`.execute(db);
    last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => stored(table, row));
  }
}

/** Rows with keys from the first to the last of the given rows. */
async function rowsBetween(db: Kysely<Database>, table: Table, keys: string[], [first = {}, ...others]: Row[]): Promise<Row[]> {
  const columns = columnsOf(keys);
  const within = sql`(${columns}) >= (${valuesOf(first, keys)}) and (${columns}) <= (${valuesOf(others.at(-1) ?? first, keys)})`;
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${within}`.execute(db);
  return rows.map((row) => stored(table, row));
}

const columnsOf = (keys: string[]) => sql.join(keys.map((key) => sql.ref(key)));
const valuesOf = (row: Row, keys: string[]) => sql.join(keys.map((key) => row[key]));

function stored(table: Table, row: Row): Row {
  const computed = COMPUTED[table];
  return Object.fromEntries(Object.entries(row).filter(([column]) => column !== computed));
}

async function insert(to: Db, table: Table, rows: Row[]): Promise<void> {
  await (to as unknown as Kysely<Record<string, Row>>)
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function digestOf(db: Kysely<Database>, table: Table, keys: string[]): Promise<{ rows: number; hash: string }> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of rowsOf(db, table, keys)) {
    count += rows.length;
    for (const row of rows) hash.update(textOf(row));
  }
  return { rows: count, hash: hash.digest("hex") };
}

/** Text for comparison, equal for a row and its copy. */
function textOf(row: Row): string {
  const columns = Object.entries(row).map(([column, value]) => [column, value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value]);
  return JSON.stringify(columns.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

/** Continues the row numbers after the copied rows; SQLite does so itself. */
async function numberOn(to: Db, table: Table): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${sql.lit(table)}, 'id'), (select coalesce(max(id), 0) + 1 from ${sql.table(table)}), false)`.execute(to);
}
