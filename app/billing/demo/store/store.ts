import Database from "better-sqlite3";
import type Stripe from "stripe";
import { newId } from "~/billing/demo/protocol/identifier";
import { resourceMissing } from "~/billing/demo/protocol/stripe-error";
import type { Noun, NotesOf, Objects } from "./objects";

export const API_VERSION = "2025-03-31.basil";

export type EventType = Stripe.Event["type"];

export interface StoreOptions {
  /** The SQLite file. */
  file: string;
  /** Unix time in ms. */
  now: () => number;
  /** Address of the pages for browsers. */
  publicUrl: string;
}

export type Store = ReturnType<typeof openStore>;

interface Row {
  data: string;
  notes: string;
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
    delivered_at INTEGER
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
export function openStore({ file, now, publicUrl }: StoreOptions) {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("busy_timeout = 5000");
  // Same as in our own database: a change is on the disk before its answer.
  db.pragma("synchronous = FULL");
  db.exec(SCHEMA);
  const sql = {
    get: db.prepare<[string, string], Row>("SELECT * FROM object WHERE id = ? AND noun = ?"),
    insert: db.prepare("INSERT INTO object (id, noun, customer, data, notes, created_ms) VALUES (?, ?, ?, ?, ?, ?)"),
    save: db.prepare("UPDATE object SET data = ? WHERE id = ?"),
    remove: db.prepare("DELETE FROM object WHERE id = ?"),
    note: db.prepare("UPDATE object SET notes = ? WHERE id = ?"),
    all: db.prepare<[string, number], Row>("SELECT * FROM object WHERE noun = ? AND created_ms <= ? ORDER BY seq DESC"),
    ofCustomer: db.prepare<[string, string], Row>("SELECT * FROM object WHERE noun = ? AND customer = ? ORDER BY seq DESC"),
    withStatus: db.prepare<[string, string], Row>(
      "SELECT * FROM object WHERE noun = ? AND data ->> '$.status' = ? ORDER BY seq DESC",
    ),
    deliver: db.prepare("INSERT INTO delivery (event, next_at) VALUES (?, ?)"),
  };
  let onEvent = () => {};
  const inTransaction = db.transaction((work: () => unknown) => work());

  return {
    db,
    now,
    seconds,
    /** Address of an object's page. */
    urlOf: (page: "pay" | "portal" | "invoice", id: string) => `${publicUrl}/${page}/${id}`,
    change,
    create,
    update,
    remove: (id: string) => void sql.remove.run(id),
    find,
    get,
    list,
    ofCustomer,
    withStatus,
    notes,
    note,
    emit,
    /** Sets the function that is called after each event. */
    watch: (listener: () => void) => (onEvent = listener),
    close: () => db.close(),
  };

  /** Unix time in seconds, as in the objects. */
  function seconds(): number {
    return Math.floor(now() / 1000);
  }

  /** Atomic: does all of the work, or none. */
  function change<T>(work: () => T): T {
    return inTransaction.immediate(work) as T;
  }

  function create<N extends Noun>(noun: N, object: Objects[N], notes: Partial<NotesOf<N>> = {}, event?: EventType): Objects[N] {
    const { customer = null } = object as { customer?: string | null };
    sql.insert.run(object.id, noun, customer, JSON.stringify(object), JSON.stringify(notes), now());
    if (event) emit(event, object);
    return object;
  }

  /**
   * Changes an object; creates an event only if the object differs afterwards.
   * @throws {StripeError} 404 if there is none
   */
  function update<N extends Noun>(noun: N, id: string, alter: (draft: Objects[N]) => void, event?: EventType): Objects[N] {
    const before = get(noun, id);
    const after = structuredClone(before);
    alter(after);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    sql.save.run(JSON.stringify(after), id);
    if (event) emit(event, after);
    return after;
  }

  function find<N extends Noun>(noun: N, id: string): Objects[N] | undefined {
    const row = sql.get.get(id, noun);
    return row && (JSON.parse(row.data) as Objects[N]);
  }

  /** @throws {StripeError} if there is none: 404, or 400 if a parameter names it */
  function get<N extends Noun>(noun: N, id: string, param?: string): Objects[N] {
    const object = find(noun, id);
    if (!object) throw resourceMissing(noun, id, param ?? "id", param === undefined ? 404 : 400);
    return object;
  }

  /** Objects, newest first. @param before only objects created until then, Unix time in ms */
  function list<N extends Noun>(noun: N, before = Number.MAX_SAFE_INTEGER): Objects[N][] {
    return parsed(sql.all.all(noun, before));
  }

  /** Newest first. */
  function ofCustomer<N extends Noun>(noun: N, customer: string): Objects[N][] {
    return parsed(sql.ofCustomer.all(noun, customer));
  }

  /** Objects with one of these values of `status`; for each value, newest first. */
  function withStatus<N extends Noun>(noun: N, ...statuses: string[]): Objects[N][] {
    return statuses.flatMap((status) => parsed<N>(sql.withStatus.all(noun, status)));
  }

  function notes<N extends Noun>(noun: N, id: string): Partial<NotesOf<N>> {
    const row = sql.get.get(id, noun);
    return row ? (JSON.parse(row.notes) as Partial<NotesOf<N>>) : {};
  }

  function note<N extends Noun>(noun: N, id: string, more: Partial<NotesOf<N>>): void {
    sql.note.run(JSON.stringify({ ...notes(noun, id), ...more }), id);
  }

  function emit(type: EventType, object: object): void {
    const event = {
      id: newId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: seconds(),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    } as unknown as Stripe.Event;
    create("event", event);
    sql.deliver.run(event.id, now());
    // After the transaction.
    setImmediate(() => onEvent());
  }
}

function parsed<N extends Noun>(rows: Row[]): Objects[N][] {
  return rows.map(({ data }) => JSON.parse(data) as Objects[N]);
}
