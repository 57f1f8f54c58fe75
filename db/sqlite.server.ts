import { mkdirSync } from "node:fs";
import path from "node:path";
import SQLite from "better-sqlite3";
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDialectConfig,
} from "kysely";
import type { Database, Db } from "./schema";

/**
 * Opens (and creates, with its folder) the SQLite database at `file`; `:memory:` is a private one. `db.destroy()`
 * closes it. There is one connection: inside `db.transaction()` use the transaction alone, a query on `db` would wait
 * for it for ever.
 */
export function openSqlite(file: string): Db {
  if (file !== ":memory:") mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  const database = new SQLite(file, { timeout: 5_000 });
  // Before WAL, which writes the first page: the setting is fixed from then on.
  database.pragma("auto_vacuum = INCREMENTAL");
  database.pragma("journal_mode = WAL");
  // With WAL, NORMAL survives every crash of the process; a power cut may undo the last commits, but breaks nothing.
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = ON");
  return new Kysely<Database>({ dialect: new ImmediateSqliteDialect({ database }) });
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new ImmediateSqliteDriver(this.#config);
  }

  override createAdapter() {
    return new TransactionalDdlAdapter();
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  /**
   * Takes the write lock at once, waiting up to `busy_timeout`. A plain `begin` that reads first and writes later
   * fails with SQLITE_BUSY_SNAPSHOT, without waiting, when another process has written in between.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  /** So that all migrations run in one (immediate) transaction, which also keeps two processes apart. */
  override get supportsTransactionalDdl() {
    return true;
  }
}
