import { setTimeout as delay } from "node:timers/promises";
import type { Client, QueryConfig } from "pg";
import { sqliteValues } from "./postgres-types";

const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;
const RETRY_MS = 1_000;
/** Interval of test queries, which find a connection that was lost without an error. */
const LOOK_EVERY_MS = 5_000;
/** Settings by which the server notices within half a minute that this machine is gone, and releases its locks. */
const KEEP_ALIVE = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

export interface SessionOptions {
  /** Channel for `listen`. */
  channel: string;
  onNotification: (payload: string) => void;
  /** Called for each new connection: earlier notifications and locks are lost. */
  onOpen: () => void;
  /** Called every five seconds while connected. */
  onLook?: () => Promise<void>;
  onError?: (error: Error) => void;
}

export interface PostgresSession {
  /** @throws while not connected */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * Permanent connection for notifications, and for locks that end with the process. Reconnects after a loss.
 * @throws if the first attempt fails
 */
export async function openPostgresSession(url: string, { channel, onNotification, onOpen, onLook, onError = () => {} }: SessionOptions): Promise<PostgresSession> {
  const { default: pg } = await import("pg");
  const closing = new AbortController();
  let client: Client | null = null;
  /** Last query: a connection answers one at a time. */
  let last: Promise<unknown> = Promise.resolve();
  let isLooking = false;
  let connecting = connect();
  await connecting;
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return { query, close };

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true, application_name: "rampe", types: sqliteValues(pg.types) });
    // Two listeners: the first one handles the loss; without the second one, a later error would end this process.
    next.once("error", (error: Error) => lose(next, error)).on("error", () => {});
    next.once("end", () => lose(next, new Error("the connection has ended")));
    next.on("notification", ({ payload = "" }) => onNotification(payload));
    try {
      await next.connect();
      await ask(next, `${KEEP_ALIVE}; listen ${channel}`);
    } catch (error) {
      await drop(next);
      throw error;
    }
    client = next;
    onOpen();
  }

  function lose(lost: Client, error: Error): void {
    if (client !== lost) return;
    client = null;
    void drop(lost);
    if (closing.signal.aborted) return;
    onError(error);
    connecting = reconnect();
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted) {
      await delay(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      try {
        return await connect();
      } catch {
        // Already reported: retry.
      }
    }
  }

  async function look(): Promise<void> {
    if (!client || isLooking) return;
    isLooking = true;
    try {
      await query("select 1");
      await onLook?.();
    } catch {
      // `query` has reported the loss.
    } finally {
      isLooking = false;
    }
  }

  async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const mine = last.then(() => {
      const present = client;
      if (!present) throw new Error("there is no connection to the database");
      return ask<Row>(present, text, values).catch((error: Error) => {
        // Error without the server's answer: the connection is lost or silent, so that no query should wait for it.
        if (!("severity" in error)) lose(present, error);
        throw error;
      });
    });
    last = mine.catch(() => {});
    return mine;
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    // Waits for notifications that are not sent yet.
    await Promise.race([last, delay(RETRY_MS)]);
    closing.abort();
    await connecting.catch(() => {});
    const present = client;
    client = null;
    if (present) await drop(present);
  }
}

async function ask<Row extends object>(client: Client, text: string, values: unknown[] = []): Promise<Row[]> {
  const config = { text, ...(values.length > 0 && { values }), query_timeout: QUERY_TIMEOUT_MS } as QueryConfig;
  return (await client.query<Row>(config)).rows;
}

/** Closes a connection, also if the server is gone without a message. */
async function drop(client: Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), delay(RETRY_MS)]);
}
