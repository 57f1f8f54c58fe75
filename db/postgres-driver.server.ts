import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { DatabaseError, Pool, PoolClient } from "pg";
import { isRead } from "./is-read";
import { DatabaseBusy, DatabaseUnreachable, WriteTurns, type WriteTurnsOptions } from "./write-turns";

/** The lock that a writer holds until the end of its transaction; of one database. */
const WRITER_LOCK = 7_267_000_001;
/** Codes of PostgreSQL: `lock_not_available`; exceptions of connections, too many connections, and a server that stops or starts. */
const LOCK_TIMEOUT = "55P03";
const NO_CONNECTION = /^(080|53300|57P0)/;

/**
 * Drives a pool of connections to a PostgreSQL database. As with SQLite, one transaction writes at a time, in all processes
 * together: what a transaction has read stays true until it ends. Reads never wait for it. Outside of a transaction, each statement may
 * have another connection: a lock or setting of a session would be lost.
 */
export class PostgresWriterDriver implements Driver {
  readonly #pool: Pool;
  readonly #turns: WriteTurns;

  constructor(pool: Pool, options: WriteTurnsOptions) {
    this.#pool = pool;
    this.#turns = new WriteTurns(options);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool, this.#turns);
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

/** A transaction, or one statement: takes a connection of the pool only when it is its turn, so that waiting writes leave some to reads. */
class PostgresConnection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #turns: WriteTurns;
  #transaction: { client: PoolClient; leave: () => void } | null = null;
  /** Why the connection cannot be used again. */
  #broken: Error | null = null;

  constructor(pool: Pool, turns: WriteTurns) {
    this.#pool = pool;
    this.#turns = turns;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return run<Row>(this.#transaction.client, query);
    if (isRead(query)) return run<Row>(this.#pool, query);
    await this.begin();
    try {
      const result = await run<Row>(this.#client(), query);
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
    const { leave, began } = await this.#turns.take();
    let client: PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const patience = Math.max(1, Math.round(this.#turns.deadline(began) - Date.now()));
      await client.query(`begin; set local lock_timeout = ${patience}; select pg_advisory_xact_lock(${WRITER_LOCK}); set local lock_timeout = 0`);
      this.#transaction = { client, leave };
    } catch (error) {
      // Without a transaction: the whole line is undone.
      await client?.query("rollback").then(() => client?.release(), (cause: Error) => client?.release(cause));
      leave();
      throw explained(error);
    }
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    try {
      const { command } = await this.#client().query(how);
      // The answer of the server to the commit of a transaction in which a statement has failed.
      if (how === "commit" && command === "ROLLBACK") throw new RolledBack("the transaction has been rolled back");
    } catch (error) {
      if (error instanceof RolledBack) throw error;
      this.#broken = error as Error;
      throw explained(error);
    }
  }

  release(): void {
    this.#transaction?.client.release(this.#broken ?? undefined);
    this.#transaction?.leave();
    this.#transaction = null;
  }

  #client(): PoolClient {
    if (!this.#transaction) throw new Error("there is no transaction");
    return this.#transaction.client;
  }
}

async function run<Row>(on: Pool | PoolClient, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
  const { command, rowCount, rows } = await on.query<Row & object>(sql, parameters.map(storable)).catch((error: unknown) => {
    throw explained(error);
  });
  return command === "SELECT" ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

/** An error without a severity is not the server's, but one of the connection to it. */
function explained(error: unknown): unknown {
  if (!isOfServer(error)) return new DatabaseUnreachable((error as Error).message, { cause: error });
  if (error.code === LOCK_TIMEOUT) return new DatabaseBusy("another program has the database locked", { cause: error });
  return NO_CONNECTION.test(error.code ?? "") ? new DatabaseUnreachable(error.message, { cause: error }) : error;
}

const isOfServer = (error: unknown): error is DatabaseError => error instanceof Error && "severity" in error;

const LARGEST = 2n ** 63n - 1n;

/** What PostgreSQL cannot store, as SQLite does: no number is null, and an infinite one is the largest. It has every character but NUL. */
function storable(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return Number.isNaN(value) ? null : value > 0 ? LARGEST : -LARGEST;
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (Array.isArray(value)) return value.map(storable);
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}
