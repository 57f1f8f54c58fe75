import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { openPostgresSession, type PostgresSession } from "db/postgres-session.server";
import type { EventLog } from "~/platform/event-log";
import type { Installation, Topic } from "./installation";

const CHANNEL = "rampe";
/** First key of all our advisory locks: differs from those of other programs. */
const LOCKS = 726_700;
const LEAD = "lead";
/** Lock that all processes with jobs share, so that its holders can be counted. */
const WORK = "work";
const GOOD_ANSWER_MS = 500;

export interface PostgresInstallationOptions {
  /** `postgres://…` */
  url: string;
  /** True if this process may become the leader. */
  mayLead: boolean;
  /** True if this process works on jobs. */
  isWorking?: boolean;
  log?: EventLog;
}

/** Installation with queries on its own connection. */
export type PostgresInstallation = Installation & Pick<PostgresSession, "query">;

/** Connects to a PostgreSQL database for notifications, locks and clock. @throws if it does not answer */
export async function joinInstallation({ url, mayLead, isWorking = false, log = () => {} }: PostgresInstallationOptions): Promise<PostgresInstallation> {
  const self = randomBytes(6).toString("base64url");
  const listeners = new Map<Topic, ((id: string | null) => void)[]>();
  const leadListeners: (() => void)[] = [];
  /** Locks of this process by name. PostgreSQL itself would grant one of them to this process again. */
  const held = new Map<string, symbol>();
  let isLeading = false;
  let isCounted = false;
  /** Difference to the database's clock in ms; null until it is known. */
  let clockAhead: number | null = null;
  let isStopping = false;

  const session = await openPostgresSession(url, {
    channel: CHANNEL,
    onNotification: receive,
    onOpen: reopened,
    onLook: async () => {
      await lead();
      await shareWorkLock();
      await readClock();
    },
    onError: ({ message }) => {
      isLeading = false;
      isCounted = false;
      held.clear();
      log("the connection for notifications was lost, and is opened again", { why: message });
    },
  });
  try {
    await lead();
    await shareWorkLock();
    await readClock();
  } catch (error) {
    await session.close();
    throw error;
  }

  return {
    notify: (topic, id) => void session.query("select pg_notify($1, $2)", [CHANNEL, write(self, topic, id)]).catch(() => {}),
    async notifyAfterCommit(trx, topic, id) {
      await sql`select pg_notify(${CHANNEL}, ${write(null, topic, id)})`.execute(trx);
    },
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    leads: () => isLeading,
    onLead(listener) {
      leadListeners.push(listener);
      if (isLeading) listener();
    },
    workers,
    lock,
    now: () => Date.now() + (clockAhead ?? 0),
    query: session.query,
    stop() {
      isStopping = true;
      return session.close();
    },
  };

  /** @param sender process that ignores this notification; null for none */
  function write(sender: string | null, topic: Topic, id: string): string {
    return JSON.stringify([sender, topic, id]);
  }

  function receive(payload: string): void {
    const [sender, topic, id] = JSON.parse(payload) as [string | null, Topic, string];
    if (sender !== self) for (const listener of listeners.get(topic) ?? []) listener(id);
  }

  function reopened(): void {
    for (const each of listeners.values()) for (const listener of each) listener(null);
  }

  async function lead(): Promise<void> {
    if (!mayLead || isLeading || isStopping || !(await lock(LEAD))) return;
    isLeading = true;
    for (const listener of leadListeners) listener();
  }

  async function shareWorkLock(): Promise<void> {
    if (!isWorking || isCounted || isStopping) return;
    await session.query("select pg_advisory_lock_shared($1, hashtext($2))", [LOCKS, WORK]);
    isCounted = true;
  }

  async function workers(): Promise<number> {
    // `pg_locks` shows both keys of a lock as unsigned numbers.
    const [row] = await session.query<{ count: number }>(
      `select count(*) as count from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
         and classid = $1 and objid = (hashtext($2)::bigint & 4294967295)::oid and granted`,
      [LOCKS, WORK],
    );
    return row?.count ?? 0;
  }

  async function lock(name: string): Promise<(() => void) | null> {
    if (held.has(name)) return null;
    const mine = Symbol(name);
    held.set(name, mine);
    const isTaken = await session.query<{ mine: 0 | 1 }>("select pg_try_advisory_lock($1, hashtext($2)) as mine", [LOCKS, name]).then(
      ([row]) => row?.mine !== 1,
      () => true,
    );
    if (!isTaken) return () => give(name, mine);
    forget(name, mine);
    return null;
  }

  function give(name: string, mine: symbol): void {
    if (forget(name, mine)) session.query("select pg_advisory_unlock($1, hashtext($2))", [LOCKS, name]).catch(() => {});
  }

  /** @returns false if the lock was lost with its connection */
  function forget(name: string, mine: symbol): boolean {
    return held.get(name) === mine && held.delete(name);
  }

  /** Reads the database's clock: leases need the same time on all machines. */
  async function readClock(): Promise<void> {
    const before = Date.now();
    const [row] = await session.query<{ ms: number }>("select extract(epoch from clock_timestamp()) * 1000 as ms");
    const after = Date.now();
    // A slow answer is too inexact.
    if (row && (clockAhead === null || after - before < GOOD_ANSWER_MS)) clockAhead = Math.round(row.ms - (before + after) / 2);
  }
}
