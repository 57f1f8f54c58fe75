import { setTimeout as delay } from "node:timers/promises";
import type SQLite from "better-sqlite3";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";
import { commitListener } from "./after-commit";
import { isRead } from "./is-read";
import { DatabaseBusy, WriteMutex, type WriteOptions } from "./write-mutex";

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

export interface Handles extends WriteOptions {
  writer: SQLite.Database;
  /** Same as `writer` for an in-memory database, which other connections cannot see. */
  reader: SQLite.Database;
}

/**
 * Driver for two connections to one SQLite file: reads never wait in the queue, writes and transactions are serialized. While
 * another program locks the database, writes wait without blocking the process, unlike SQLite's own `busy_timeout`.
 */
export class SqliteFileDriver implements Driver {
  readonly #handles: Handles;
  readonly #mutex: WriteMutex;

  constructor(handles: Handles) {
    this.#handles = handles;
    this.#mutex = new WriteMutex(handles);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteFileConnection> {
    return new SqliteFileConnection(this.#handles, this.#mutex);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }

  async destroy(): Promise<void> {
    const { writer, reader } = this.#handles;
    // The writer is closed last: the last connection writes the write-ahead log into the file, so it must be able to write.
    if (reader !== writer) reader.close();
    writer.close();
  }
}

function own(connection: DatabaseConnection): SqliteFileConnection {
  if (!(connection instanceof SqliteFileConnection)) throw new TypeError("this connection is of another driver");
  return connection;
}

class SqliteFileConnection implements DatabaseConnection {
  readonly #handles: Handles;
  readonly #mutex: WriteMutex;
  #release: (() => void) | null = null;
  readonly #committed = new Set<() => void>();

  constructor(handles: Handles, mutex: WriteMutex) {
    this.#handles = handles;
    this.#mutex = mutex;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writer, reader } = this.#handles;
    if (this.#release) {
      // After a rollback by SQLite itself (full disk), further statements must not run.
      if (!writer.inTransaction) throw new Error("the transaction has been rolled back");
      const listener = commitListener(query);
      if (listener) this.#committed.add(listener);
      return run<Row>(writer, query);
    }
    if (reader !== writer && isRead(query)) return this.#patiently(() => run<Row>(reader, query));
    const { leave, began } = await this.#mutex.acquire();
    try {
      return await this.#patiently(() => run<Row>(writer, query), began);
    } finally {
      leave();
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield* (await this.executeQuery<Row>(query)).rows.map((row) => ({ rows: [row] }));
  }

  /** Takes the write lock at the begin: otherwise another program may write between the first read and the first write. */
  async begin(): Promise<void> {
    const { leave, began } = await this.#mutex.acquire();
    try {
      await this.#patiently(() => run(this.#handles.writer, CompiledQuery.raw("begin immediate")), began);
      this.#release = leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async commit(): Promise<void> {
    if (!this.#handles.writer.inTransaction) throw new Error("the transaction has been rolled back");
    run(this.#handles.writer, CompiledQuery.raw("commit"));
    for (const listener of this.#committed) listener();
  }

  async rollback(): Promise<void> {
    if (this.#handles.writer.inTransaction) run(this.#handles.writer, CompiledQuery.raw("rollback"));
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }

  async #patiently<Result>(task: () => Result, began = Date.now()): Promise<Result> {
    for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return task();
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() >= this.#mutex.deadline(began)) throw new DatabaseBusy("another program has the database locked", { cause: error });
      }
      await delay(pause);
    }
  }
}

function run<Row>(database: SQLite.Database, { sql, parameters }: CompiledQuery): QueryResult<Row> {
  const statement = database.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/** True for a lock, or a recovery after another process was killed. */
const isBusy = (error: unknown) => ["SQLITE_BUSY", "SQLITE_BUSY_RECOVERY"].includes(String((error as { code?: unknown }).code));
