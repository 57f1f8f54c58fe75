import { createHash } from "node:crypto";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { DatabaseError, Pool, PoolClient, QueryConfig } from "pg";
import { commitListener } from "./after-commit";
import { skipsWriteLock } from "./without-write-lock";
import { isRead } from "./is-read";
import { isPrepared } from "./prepared";
import { DatabaseBusy, DatabaseUnreachable, WriteMutex, type WriteOptions } from "./write-mutex";

/** Advisory lock of a writer until the end of its transaction; valid in one database. */
const WRITER_LOCK = 7_267_000_001;
/** Maximum wait behind another write of this process, which may be a long one. */
const LONGEST_QUEUE_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** Time for the transport of an answer. */
const ANSWER_MS = 1_000;

/** Time limit of the server for a statement, and for an idle transaction, which holds the lock of all writers. */
const LIMIT_MS = 60_000;
/** Time limits of this process for a read, and for any other statement: a server may disappear without closing the connection. */
const LONGEST_READ_MS = 65_000;
const LONGEST_WRITE_MS = 600_000;

/** PostgreSQL's error codes: `lock_not_available`; connection errors, too many connections, and a server that stops, starts, or is too slow. */
const LOCK_TIMEOUT = "55P03";
const NO_CONNECTION = /^(08|53300|57P0|57014)/;

/**
 * Driver for a pool of connections to a PostgreSQL database. As with SQLite, one transaction writes at a time, in all processes
 * together: data that a transaction has read cannot change until it ends. Reads and statements `withoutWriteLock` never wait for it.
 * Without a transaction, each statement may use another connection: a session's lock or setting would be lost.
 */
export class PostgresWriterDriver implements Driver {
  readonly #pool: Pool;
  readonly #writes: Writes;

  constructor(pool: Pool, options: WriteOptions) {
    this.#pool = pool;
    this.#writes = { mutex: new WriteMutex(options), failure: null };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool, this.#writes);
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

/** Writes of this process, shared by all connections. */
interface Writes {
  mutex: WriteMutex;
  /** Last write that could not begin; `at` is Unix time in ms. */
  failure: { at: number; error: unknown } | null;
}

class RolledBack extends Error {
  override name = "RolledBack";
}

/** Transaction or single statement. A write takes a connection of the pool only when it may write: waiting writes leave connections for reads. */
class PostgresConnection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #writes: Writes;
  #transaction: { client: PoolClient; leave: () => void; committed: Set<() => void> } | null = null;
  /** Error after which the connection cannot be used again. */
  #connectionError: Error | null = null;

  constructor(pool: Pool, writes: Writes) {
    this.#pool = pool;
    this.#writes = writes;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return this.#inTransaction<Row>(query);
    if (isRead(query) || skipsWriteLock(query)) return run<Row>(this.#pool, query, LONGEST_READ_MS);
    await this.begin();
    try {
      const result = await this.#inTransaction<Row>(query);
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

  async #inTransaction<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { client, committed } = this.#begun();
    const listener = commitListener(query);
    if (listener) committed.add(listener);
    try {
      return await run<Row>(client, query, LONGEST_WRITE_MS);
    } catch (error) {
      // The connection is unusable: it waits for an answer, or is lost.
      if (error instanceof DatabaseUnreachable) this.#connectionError = error;
      throw error;
    }
  }

  async begin(): Promise<void> {
    const began = Date.now();
    const { leave } = await this.#within(this.#writes.mutex.acquire(), { began, patienceMs: LONGEST_QUEUE_MS, tooLate: isLocked, undo: (late) => late.leave() });
    try {
      // Writes that wait for each other fail together.
      const { failure } = this.#writes;
      if (failure && began < failure.at) throw failure.error;
      this.#transaction = { client: await this.#lockedClient(Date.now()), leave, committed: new Set() };
    } catch (error) {
      const failed = toStorageError(error);
      this.#writes.failure = { at: Date.now(), error: failed };
      leave();
      throw failed;
    }
  }

  async #lockedClient(began: number): Promise<PoolClient> {
    const client = await this.#within(this.#pool.connect(), { began, tooLate: isSilent, undo: (late) => late.release() });
    try {
      const deadline = this.#writes.mutex.deadline(began);
      // The server itself reports a lock; this process ends the wait earlier only when it stops.
      const tooLate = () => (Date.now() < deadline ? isLocked() : isSilent());
      await this.#within(client.query(beginning(deadline - Date.now())), { began, slackMs: ANSWER_MS, tooLate });
      return client;
    } catch (error) {
      // Closed, because the client may still wait for the lock.
      client.release(error as Error);
      throw error;
    }
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    // The end of the connection has already rolled back the transaction.
    if (how === "rollback" && this.#connectionError) return;
    const { client, committed } = this.#begun();
    try {
      const { command } = await client.query({ text: how, query_timeout: LONGEST_READ_MS } as QueryConfig);
      // Server's answer to the commit of a transaction with a failed statement.
      if (how === "commit" && command === "ROLLBACK") throw new RolledBack("the transaction has been rolled back");
    } catch (error) {
      if (error instanceof RolledBack) throw error;
      this.#connectionError = error as Error;
      throw toStorageError(error);
    }
    if (how === "commit") for (const listener of committed) listener();
  }

  release(): void {
    this.#transaction?.client.release(this.#connectionError ?? undefined);
    this.#transaction?.leave();
    this.#transaction = null;
  }

  #begun() {
    if (!this.#transaction) throw new Error("there is no transaction");
    return this.#transaction;
  }

  /** Waits for one step at the begin of a write. @throws the error of `tooLate` */
  #within<Result>(work: Promise<Result>, { began, patienceMs, slackMs = 0, tooLate, undo = () => {} }: Wait<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setInterval(() => {
        // Asked each time, because a stop of this process shortens the wait.
        if (Date.now() < this.#writes.mutex.deadline(began, patienceMs) + slackMs) return;
        clearInterval(timer);
        work.then(undo, () => {});
        reject(tooLate());
      }, LOOK_EVERY_MS);
      work.finally(() => clearInterval(timer)).then(resolve, reject);
    });
  }
}

interface Wait<Result> {
  /** Unix time in ms. */
  began: number;
  patienceMs?: number;
  slackMs?: number;
  tooLate: () => Error;
  /** Releases a result that comes too late. */
  undo?: (late: Result) => void;
}

const isLocked = () => new DatabaseBusy("another program has the database locked");
const isSilent = () => new DatabaseUnreachable("the database does not answer");

/** Statements at the begin of a write, in one message to the server. @param patienceMs maximum wait for the lock */
function beginning(patienceMs: number): string {
  const limits = `set local statement_timeout = ${LIMIT_MS}; set local idle_in_transaction_session_timeout = ${LIMIT_MS}`;
  const lock = `set local lock_timeout = ${Math.max(1, Math.ceil(patienceMs))}; select pg_advisory_xact_lock(${WRITER_LOCK}); set local lock_timeout = 0`;
  return `begin isolation level read committed; ${limits}; ${lock}`;
}

async function run<Row>(on: Pool | PoolClient, compiled: CompiledQuery, query_timeout: number): Promise<QueryResult<Row>> {
  const { sql, parameters } = compiled;
  // A named statement is parsed and planned once for each connection.
  const named = isPrepared(compiled) && { name: createHash("sha256").update(sql).digest("base64url") };
  const query = { ...named, text: sql, values: parameters.map(toParameter), query_timeout };
  const { command, rowCount, rows } = await on.query<Row & object>(query).catch((error: unknown) => {
    throw toStorageError(error);
  });
  return command === "SELECT" ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

/** Storage error of an error. Without a severity, it is an error of the connection, not of the server. */
function toStorageError(error: unknown): unknown {
  if (error instanceof DatabaseBusy || error instanceof DatabaseUnreachable) return error;
  if (!isOfServer(error)) return new DatabaseUnreachable(messageOf(error), { cause: error });
  if (error.code === LOCK_TIMEOUT) return isLocked();
  return NO_CONNECTION.test(error.code ?? "") ? new DatabaseUnreachable(error.message, { cause: error }) : error;
}

const isOfServer = (error: unknown): error is DatabaseError => error instanceof Error && "severity" in error;

/** Message of an error; a host name with several addresses has an error for each, and no message itself. */
const messageOf = (error: unknown): string => (error as Error).message || String((error as { code?: unknown }).code);

const LARGEST = 2n ** 63n - 1n;

/** Value that PostgreSQL can store: null for NaN, as in SQLite; the largest number for an infinite one; a replacement for each NUL character. */
function toParameter(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return Number.isNaN(value) ? null : value > 0 ? LARGEST : -LARGEST;
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (Array.isArray(value)) return value.map(toParameter);
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}
