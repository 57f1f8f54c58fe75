import { mkdirSync } from "node:fs";
import path from "node:path";
import SQLite from "better-sqlite3";
import { Kysely, SqliteAdapter, SqliteDialect } from "kysely";
import type { Database, Db } from "./schema";
import { SqliteFileDriver, type Handles } from "./sqlite-driver.server";
import type { WriteOptions } from "./write-mutex";

const LONGEST_LOG_BYTES = 16_000_000;
/** Time limit of SQLite's own wait, used only while opening: afterwards the driver itself waits. */
const OPEN_TIMEOUT_MS = 5_000;

/**
 * Opens (and creates, with its folder) the SQLite database at `file`; `:memory:` is a private one. `db.destroy()`
 * closes it. Writes are serialized: inside `db.transaction()` use only the transaction. A write on `db` would wait for ever
 * (deadlock), and a read does not see its changes. Writes that cannot finish in time reject with `DatabaseBusy`.
 */
export function openSqlite(file: string, options: WriteOptions = {}): Db {
  if (file !== ":memory:") mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  const writer = new SQLite(file, { timeout: OPEN_TIMEOUT_MS });
  // Before WAL mode, which writes the first page and fixes this setting.
  writer.pragma("auto_vacuum = INCREMENTAL");
  writer.pragma("journal_mode = WAL");
  // Each commit is on the disk before its answer: with NORMAL, a power cut may undo a payment that the provider counts as reported.
  writer.pragma("synchronous = FULL");
  // Limit of the write-ahead log, which a large clean-up makes long; it shrinks when the log next starts again.
  writer.pragma(`journal_size_limit = ${LONGEST_LOG_BYTES}`);
  writer.pragma("foreign_keys = ON");
  const reader = file === ":memory:" ? writer : new SQLite(file, { timeout: OPEN_TIMEOUT_MS, readonly: true });
  for (const database of [writer, reader]) database.pragma("busy_timeout = 0");
  return new Kysely<Database>({ dialect: new SqliteFileDialect({ ...options, writer, reader }) });
}

class SqliteFileDialect extends SqliteDialect {
  readonly #handles: Handles;

  constructor(handles: Handles) {
    super({ database: handles.writer });
    this.#handles = handles;
  }

  override createDriver() {
    return new SqliteFileDriver(this.#handles);
  }

  override createAdapter() {
    return new TransactionalDdlAdapter();
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  /** Runs all migrations in one (immediate) transaction: atomic, also with two processes. */
  override get supportsTransactionalDdl() {
    return true;
  }
}
