import path from "node:path";
// The demo cashier has its own SQLite file, independent of the application's database.
import Database from "better-sqlite3";

interface Place {
  dataDir: string;
}

/** Changes the amounts of a price, in cents; its name is its lookup key. */
export function setPrice(place: Place, lookupKey: string, { eur, usd }: { eur: number; usd: number }): void {
  withStore(place, (db) => {
    const change = `UPDATE object SET data = json_set(data, '$.unit_amount', ?), notes = json_set(notes, '$.currencyOptions.usd', ?)
      WHERE data ->> '$.lookup_key' = ?`;
    db.prepare(change).run(eur, usd, lookupKey);
  });
}

/** Makes the cashier answer every request with an error, or ends that. */
export function setCashier(place: Place, is: "down" | "up"): void {
  withStore(place, (db) => db.exec(is === "down" ? "ALTER TABLE object RENAME TO gone" : "ALTER TABLE gone RENAME TO object"));
}

/** Adds a customer for a user. @returns its id */
export function addCustomer(place: Place, name: string, userId: string): string {
  const id = `cus_${name}_${userId}`;
  const data = { id, object: "customer", balance: 0, invoice_settings: { default_payment_method: null }, metadata: { auth0_id: userId } };
  withStore(place, (db) => {
    const add = db.prepare("INSERT INTO object (id, noun, data, notes, created_ms) VALUES (?, 'customer', ?, '{}', 0)");
    add.run(id, JSON.stringify(data));
  });
  return id;
}

export function removeCustomer(place: Place, id: string): void {
  withStore(place, (db) => db.prepare("DELETE FROM object WHERE id = ?").run(id));
}

/** Whether the cashier has events that the application has not accepted yet. */
export function hasUndelivered(place: Place): boolean {
  return withStore(place, (db) => db.prepare("SELECT 1 FROM delivery WHERE delivered_at IS NULL").get()) !== undefined;
}

function withStore<Result>({ dataDir }: Place, work: (db: Database.Database) => Result): Result {
  const db = new Database(path.join(dataDir, "cashier.db"));
  try {
    return work(db);
  } finally {
    db.close();
  }
}
