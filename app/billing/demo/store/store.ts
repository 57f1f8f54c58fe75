import Database from "better-sqlite3";
import type Stripe from "stripe";
import { missing } from "~/billing/demo/protocol/stripe-error";
import { newId } from "~/billing/demo/protocol/identifier";
import type { Notes, Noun, Objects } from "./objects";

export const API_VERSION = "2025-03-31.basil";

export type EventType = Stripe.Event["type"];

export interface StoreOptions {
  /** The SQLite file. */
  file: string;
  /** Unix time in ms. */
  now: () => number;
  /** Whether events are delivered to a receiver. */
  hasReceiver: boolean;
}

/** The request that caused an event, as the event names it. */
export interface Cause {
  id: string;
  idempotencyKey: string | null;
}

export type Store = ReturnType<typeof openStore>;

interface Row {
  seq: number;
  id: string;
  data: string;
  notes: string;
  created_ms: number;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS object (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    noun TEXT NOT NULL,
    customer TEXT,
    data TEXT NOT NULL,
    notes TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS object_by_noun ON object (noun, seq);
  CREATE INDEX IF NOT EXISTS object_by_customer ON object (noun, customer, seq);
  CREATE INDEX IF NOT EXISTS object_by_status ON object (noun, data ->> '$.status', seq);
  CREATE TABLE IF NOT EXISTS delivery (
    event TEXT PRIMARY KEY REFERENCES object (id),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL,
    delivered_at INTEGER,
    last_answer TEXT
  );
  CREATE INDEX IF NOT EXISTS delivery_due ON delivery (next_at) WHERE delivered_at IS NULL;
  CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  );
`;

/**
 * All objects and events of the cashier, in its own SQLite file. A change of an object and its event are written in the
 * same transaction; all functions are synchronous, so no other work runs between two steps of a change.
 */
export function openStore({ file, now, hasReceiver }: StoreOptions) {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("busy_timeout = 5000");
  db.pragma("synchronous = NORMAL");
  db.exec(SCHEMA);
  const sql = {
    get: db.prepare<[string, string], Row>("SELECT * FROM object WHERE id = ? AND noun = ?"),
    insert: db.prepare("INSERT INTO object (id, noun, customer, data, notes, created_ms) VALUES (?, ?, ?, ?, ?, ?)"),
    save: db.prepare("UPDATE object SET data = ?, customer = ? WHERE id = ?"),
    note: db.prepare("UPDATE object SET notes = ? WHERE id = ?"),
    all: db.prepare<[string, number], Row>("SELECT * FROM object WHERE noun = ? AND created_ms <= ? ORDER BY seq DESC"),
    ofCustomer: db.prepare<[string, string], Row>("SELECT * FROM object WHERE noun = ? AND customer = ? ORDER BY seq DESC"),
    withStatus: db.prepare<[string, string], Row>(
      "SELECT * FROM object WHERE noun = ? AND data ->> '$.status' = ? ORDER BY seq DESC",
    ),
    next: db.prepare<[string, number], Row>("SELECT * FROM object WHERE noun = ? AND seq < ? ORDER BY seq DESC LIMIT 100"),
    deliver: db.prepare("INSERT INTO delivery (event, next_at) VALUES (?, ?)"),
  };
  let cause: Cause | null = null;
  let onEvent = () => {};
  const inTransaction = db.transaction((work: () => unknown) => work());

  return {
    db,
    now,
    seconds,
    change,
    create,
    update,
    find,
    get,
    list,
    ofCustomer,
    withStatus,
    newest,
    notes,
    note,
    emit,
    /** Called after each event that must be delivered. */
    watch: (listener: () => void) => (onEvent = listener),
    close: () => db.close(),
  };

  /** Unix time in seconds, as in the objects. */
  function seconds(): number {
    return Math.floor(now() / 1000);
  }

  /** Atomic: does all of the work or nothing. */
  function change<T>(work: () => T, because: Cause | null = null): T {
    const before = cause;
    cause = because ?? before;
    try {
      return inTransaction.immediate(work) as T;
    } finally {
      cause = before;
    }
  }

  function create<N extends Noun>(
    noun: N,
    object: Objects[N],
    notes: Partial<Notes[N]> = {},
    event?: EventType,
  ): Objects[N] {
    sql.insert.run(object.id, noun, customerOf(object), JSON.stringify(object), JSON.stringify(notes), now());
    if (event) emit(event, object);
    return object;
  }

  /**
   * Changes an object; emits the event only if something is different afterwards.
   * @throws {StripeError} 404 when there is none
   */
  function update<N extends Noun>(noun: N, id: string, alter: (draft: Objects[N]) => void, event?: EventType): Objects[N] {
    const before = get(noun, id);
    const after = structuredClone(before);
    alter(after);
    const previous = differences(before, after);
    if (Object.keys(previous).length === 0) return before;
    sql.save.run(JSON.stringify(after), customerOf(after), id);
    if (event) emit(event, after, event.endsWith(".updated") ? previous : undefined);
    return after;
  }

  function find<N extends Noun>(noun: N, id: string): Objects[N] | undefined {
    const row = sql.get.get(id, noun);
    return row && (JSON.parse(row.data) as Objects[N]);
  }

  /** @throws {StripeError} 404 when there is none */
  function get<N extends Noun>(noun: N, id: string, param = "id"): Objects[N] {
    const object = find(noun, id);
    if (!object) throw missing(noun, id, param, 404);
    return object;
  }

  /** Newest first. @param before only objects created until then, Unix time in ms */
  function list<N extends Noun>(noun: N, before = Number.MAX_SAFE_INTEGER): Objects[N][] {
    return sql.all.all(noun, before).map(({ data }) => JSON.parse(data) as Objects[N]);
  }

  /** Newest first. */
  function ofCustomer<N extends Noun>(noun: N, customer: string): Objects[N][] {
    return sql.ofCustomer.all(noun, customer).map(({ data }) => JSON.parse(data) as Objects[N]);
  }

  /** Objects with one of these values in `status`; for each value, newest first. */
  function withStatus<N extends Noun>(noun: N, ...statuses: string[]): Objects[N][] {
    return statuses.flatMap((status) => sql.withStatus.all(noun, status).map(({ data }) => JSON.parse(data) as Objects[N]));
  }

  /** Newest first, read in batches as needed: there may be many events. */
  function* newest<N extends Noun>(noun: N): Generator<Objects[N]> {
    for (let rows = sql.next.all(noun, Number.MAX_SAFE_INTEGER); rows.length > 0; ) {
      for (const { data } of rows) yield JSON.parse(data) as Objects[N];
      rows = sql.next.all(noun, rows.at(-1)?.seq ?? 0);
    }
  }

  function notes<N extends Noun>(noun: N, id: string): Partial<Notes[N]> {
    const row = sql.get.get(id, noun);
    return row ? (JSON.parse(row.notes) as Partial<Notes[N]>) : {};
  }

  function note<N extends Noun>(noun: N, id: string, more: Partial<Notes[N]>): void {
    sql.note.run(JSON.stringify({ ...notes(noun, id), ...more }), id);
  }

  function emit(type: EventType, object: object, previous?: object): void {
    const event = {
      id: newId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: seconds(),
      data: { object, ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: hasReceiver ? 1 : 0,
      request: { id: cause?.id ?? null, idempotency_key: cause?.idempotencyKey ?? null },
      type,
    } as unknown as Stripe.Event;
    create("event", event);
    if (!hasReceiver) return;
    sql.deliver.run(event.id, now());
    // After the transaction.
    setImmediate(() => onEvent());
  }
}

function customerOf(object: object): string | null {
  const { customer } = object as { customer?: unknown };
  return typeof customer === "string" ? customer : null;
}

/** Previous values of changed fields; null for a new key of metadata. */
function differences(before: object, after: object): Record<string, unknown> {
  const old = before as Record<string, unknown>;
  const fresh = after as Record<string, unknown>;
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]),
  );
  const previous = (was: unknown, is: unknown) => (isPlain(was) && isPlain(is) ? differences(was, is) : (was ?? null));
  return Object.fromEntries(changed.map((key) => [key, previous(old[key], fresh[key])]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
