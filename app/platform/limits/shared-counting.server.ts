import { createHmac } from "node:crypto";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import type { Db } from "db/schema";
import type { Counting } from "./rate-limit.server";

interface Query {
  name: string;
  text: string;
  values: unknown[];
}

interface SharedCountingOptions {
  /** Query on the database that all processes share. */
  query: (query: Query) => Promise<{ rows: object[]; rowCount: number | null }>;
  /** Secret of the keyed hashes: addresses and names are not stored in plain text. */
  secret: string;
}

/** Counters shared by all processes; each process counts alone while the database does not answer. */
export function createSharedCounting({ query, secret }: SharedCountingOptions): Counting {
  return {
    counter: (name, options) =>
      new RateLimiterPostgres({
        ...options,
        ...{ keyPrefix: name, storeClient: { query }, storeType: "client" },
        // Our own table, cleaned by our own clean-up.
        ...{ tableName: "rate_limit", tableCreated: true, clearExpiredByTimeout: false },
        insuranceLimiter: new RateLimiterMemory(options),
      }),
    keyOf: (key) => createHmac("sha256", secret).update(key).digest("base64url"),
  };
}

export async function deleteExpiredCounts(db: Db, now = Date.now()): Promise<void> {
  await db.deleteFrom("rate_limit").where("expire", "<=", now).execute();
}
