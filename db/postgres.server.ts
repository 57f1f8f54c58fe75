import { Kysely, PostgresAdapter, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import { emptyLists } from "./empty-lists";
import { PostgresWriterDriver } from "./postgres-driver.server";
import { sqliteValues } from "./postgres-types";
import type { Database, Db } from "./schema";
import type { WriteOptions } from "./write-mutex";

/** Maximum connections of one process; a PostgreSQL server allows a hundred by default. */
const MOST_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a PostgreSQL database. `db.destroy()` closes it. Its values are those of SQLite: numbers for all whole numbers and sums, 0 or
 * 1 for conditions. Writes are serialized as with `openSqlite`.
 * @param url `postgres://…`
 * @param onError called once for each lost connection
 */
export async function openPostgres(url: string, { onError = () => {}, ...options }: WriteOptions & { onError?: (error: Error) => void } = {}): Promise<Db> {
  // Lazy import: most installations use SQLite.
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Detects a server that is gone. No other settings here: poolers refuse them.
    keepAlive: true,
    application_name: "rampe",
    types: sqliteValues(pg.types),
  });
  // Listeners for idle connections and for those in a transaction: without them, a restart of the database would end this process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.once("error", onError).on("error", () => {}));
  return new Kysely<Database>({ dialect: new PostgresWriterDialect(pool, options), plugins: [emptyLists()] });
}

class PostgresWriterDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #options: WriteOptions;

  constructor(pool: Pool, options: WriteOptions) {
    super({ pool });
    this.#pool = pool;
    this.#options = options;
  }

  override createDriver() {
    return new PostgresWriterDriver(this.#pool, this.#options);
  }

  override createAdapter() {
    return new WriterAdapter();
  }
}

class WriterAdapter extends PostgresAdapter {
  /** No lock needed: all migrations are one transaction, and no other one writes meanwhile. A session's lock would not end with it. */
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
