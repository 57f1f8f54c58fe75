import { mkdirSync } from "node:fs";
import path from "node:path";
import SQLite from "better-sqlite3";
import { Kysely, SqliteAdapter, SqliteDialect } from "kysely";
import type { Database, Db } from "./schema";
import { SqliteFileDriver, type Handles } from "./sqlite-driver.server";

/** Only while it is opened: from then on the driver waits by itself. */
const OPEN_TIMEOUT_MS = 5_000;

export interface SqliteOptions {
  /** A write waits so long for another program that has locked the database. */
  patienceMs?: number;
  /** Aborted when this process stops: writes wait for a second at most from then on, later ones for half a second. */
  stopping?: AbortSignal;
}

/**
 * Opens (and creates, with its folder) the SQLite database at `file`; `:memory:` is a private one. `db.destroy()`
 * closes it. Writes take turns: inside `db.transaction()` use the transaction alone, a write on `db` would wait for it for
 * ever, and a read does not see what it has written. Rejects with `DatabaseBusy` what could not be written in time.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Db {
  if (file !== ":memory:") mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  const writer = new SQLite(file, { timeout: OPEN_TIMEOUT_MS });
  // Before WAL, which writes the first page: the setting is fixed from then on.
  writer.pragma("auto_vacuum = INCREMENTAL");
  writer.pragma("journal_mode = WAL");
  // With WAL, NORMAL survives every crash of the process; a power cut may undo the last commits, but breaks nothing.
  writer.pragma("synchronous = NORMAL");
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
  /** So that all migrations run in one (immediate) transaction, which also keeps two processes apart. */
  override get supportsTransactionalDdl() {
    return true;
  }
}
