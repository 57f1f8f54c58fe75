import { setTimeout as delay } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { DatabaseError, Pool, PoolClient } from "pg";
import { isRead } from "./is-read";
import { DatabaseBusy, DatabaseUnreachable, WriteMutex, type WriteOptions } from "./write-mutex";

/** The lock that a writer holds until the end of its transaction; of one database. */
const WRITER_LOCK = 7_267_000_001;
/** Maximum wait behind another write of this process, which may be a long one. */
const LONGEST_QUEUE_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** A server ends a statement, or a transaction that does nothing, after this time: it holds the lock of all writers. */
const LIMIT_MS = 60_000;
/** A read is given up after this time, and any other statement: the server may be gone without a word. */
const LONGEST_READ_MS = 65_000;
const LONGEST_WRITE_MS = 600_000;

/** Codes of PostgreSQL: `lock_not_available`; exceptions of connections, too many of them, and a server that stops, starts, or is too slow. */
const LOCK_TIMEOUT = "55P03";
const NO_CONNECTION = /^(08|53300|57P0|57014)/;

/**
 * Drives a pool of connections to a PostgreSQL database. As with SQLite, one transaction writes at a time, in all processes
 * together: what a transaction has read stays true until it ends. Reads never wait for it. Outside of a transaction, each statement may
 * have another connection: a lock or setting of a session would be lost.
 */
export class PostgresWriterDriver implements Driver {
  readonly #pool: Pool;
  readonly #mutex: WriteMutex;

  constructor(pool: Pool, options: WriteOptions) {
    this.#pool = pool;
    this.#mutex = new WriteMutex(options);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool, this.#mutex);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).end("commit");
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return own(connection).end("rollback");
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

function own(connection: DatabaseConnection): PostgresConnection {
  if (!(connection instanceof PostgresConnection)) throw new TypeError("this connection is of another driver");
  return connection;
}

class RolledBack extends Error {
  override name = "RolledBack";
}

/** A transaction, or one statement: takes a connection of the pool only when it may write, so that waiting writes leave some to reads. */
class PostgresConnection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #mutex: WriteMutex;
  #transaction: { client: PoolClient; leave: () => void } | null = null;
  /** Why the connection cannot be used again. */
  #connectionError: Error | null = null;

  constructor(pool: Pool, mutex: WriteMutex) {
    this.#pool = pool;
    this.#mutex = mutex;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return run<Row>(this.#transaction.client, query, LONGEST_WRITE_MS);
    if (isRead(query)) return run<Row>(this.#pool, query, LONGEST_READ_MS);
    await this.begin();
    try {
      const result = await run<Row>(this.#client(), query, LONGEST_WRITE_MS);
      await this.end("commit");
      return result;
    } catch (error) {
      await this.end("rollback").catch(() => {});
      throw error;
    } finally {
      this.release();
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield* (await this.executeQuery<Row>(query)).rows.map((row) => ({ rows: [row] }));
  }

  async begin(): Promise<void> {
    const began = Date.now();
    const { leave } = await this.#within(this.#mutex.acquire(), began, (late) => late.leave(), LONGEST_QUEUE_MS);
    try {
      this.#transaction = { client: await this.#lockedClient(Date.now()), leave };
    } catch (error) {
      leave();
      throw toStorageError(error);
    }
  }

  async #lockedClient(began: number): Promise<PoolClient> {
    const client = await this.#within(this.#pool.connect(), began, (late) => late.release());
    try {
      await this.#within(client.query(beginning(this.#mutex.deadline(began) - Date.now())), began);
      return client;
    } catch (error) {
      // Closed: it may still wait for the lock.
      client.release(error as Error);
      throw error;
    }
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    try {
      const { command } = await this.#client().query(how);
      // The answer of the server to the commit of a transaction in which a statement has failed.
      if (how === "commit" && command === "ROLLBACK") throw new RolledBack("the transaction has been rolled back");
    } catch (error) {
      if (error instanceof RolledBack) throw error;
      this.#connectionError = error as Error;
      throw toStorageError(error);
    }
  }

  release(): void {
    this.#transaction?.client.release(this.#connectionError ?? undefined);
    this.#transaction?.leave();
    this.#transaction = null;
  }

  #client(): PoolClient {
    if (!this.#transaction) throw new Error("there is no transaction");
    return this.#transaction.client;
  }

  /** @param undo gives back what comes too late. @throws {DatabaseBusy} */
  async #within<Result>(work: Promise<Result>, began: number, undo: (late: Result) => void = () => {}, patienceMs?: number): Promise<Result> {
    const done = new AbortController();
    const tooLate = async () => {
      while (Date.now() < this.#mutex.deadline(began, patienceMs)) await delay(LOOK_EVERY_MS, undefined, { signal: done.signal });
      work.then(undo, () => {});
      throw new DatabaseBusy("another program has the database locked");
    };
    try {
      return await Promise.race([work, tooLate()]);
    } finally {
      done.abort();
    }
  }
}

/** One line, one way to the server. @param patienceMs maximum wait for the lock */
function beginning(patienceMs: number): string {
  const limits = `set local statement_timeout = ${LIMIT_MS}; set local idle_in_transaction_session_timeout = ${LIMIT_MS}`;
  const lock = `set local lock_timeout = ${Math.max(1, Math.ceil(patienceMs))}; select pg_advisory_xact_lock(${WRITER_LOCK}); set local lock_timeout = 0`;
  return `begin isolation level read committed; ${limits}; ${lock}`;
}

async function run<Row>(on: Pool | PoolClient, { sql, parameters }: CompiledQuery, query_timeout: number): Promise<QueryResult<Row>> {
  const query = { text: sql, values: parameters.map(toParameter), query_timeout };
  const { command, rowCount, rows } = await on.query<Row & object>(query).catch((error: unknown) => {
    throw toStorageError(error);
  });
  return command === "SELECT" ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

/** An error without a severity is not the server's, but one of the connection to it. */
function toStorageError(error: unknown): unknown {
  if (error instanceof DatabaseBusy) return error;
  if (!isOfServer(error)) return new DatabaseUnreachable(messageOf(error), { cause: error });
  if (error.code === LOCK_TIMEOUT) return new DatabaseBusy("another program has the database locked", { cause: error });
  return NO_CONNECTION.test(error.code ?? "") ? new DatabaseUnreachable(error.message, { cause: error }) : error;
}

const isOfServer = (error: unknown): error is DatabaseError => error instanceof Error && "severity" in error;

/** A name with several addresses has an error for each, and none of its own. */
const messageOf = (error: unknown): string => (error as Error).message || String((error as { code?: unknown }).code);

const LARGEST = 2n ** 63n - 1n;

/** What PostgreSQL cannot store, as SQLite does: no number is null, and an infinite one is the largest. It has every character but NUL. */
function toParameter(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return Number.isNaN(value) ? null : value > 0 ? LARGEST : -LARGEST;
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (Array.isArray(value)) return value.map(toParameter);
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}
