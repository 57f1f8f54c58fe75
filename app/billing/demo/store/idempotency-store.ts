import { createHash } from "node:crypto";
import type { Store } from "./store";
import { StripeError } from "~/billing/demo/protocol/stripe-error";
import { DAY_MS } from "~/platform/durations";

export interface StoredAnswer {
  status: number;
  body: string;
}

/** Answers by `Idempotency-Key`, for 24 hours (https://docs.stripe.com/api/idempotent_requests). */
export function createIdempotencyStore(store: Store) {
  const { db, now } = store;
  const find = db.prepare<[string, number], { request: string; status: number; body: string }>(
    "SELECT request, status, body FROM answer WHERE key = ? AND created_ms > ?",
  );
  const insert = db.prepare("INSERT OR REPLACE INTO answer (key, request, status, body, created_ms) VALUES (?, ?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM answer WHERE created_ms <= ?");
  const inProgress = new Set<string>();

  return {
    /**
     * Locks an idempotency key while its request is carried out.
     * @returns the stored answer, if there is one
     * @throws {StripeError} 400 if another request used the key, 409 while the first request is not finished
     */
    begin(key: string, request: string): StoredAnswer | null {
      if (key.length > 255) {
        throw new StripeError(400, "idempotency_error", "An idempotency key can be at most 255 characters long.");
      }
      const stored = find.get(key, now() - DAY_MS);
      if (stored && stored.request !== digestOf(request)) {
        const message =
          "Keys for idempotent requests can only be used with the same parameters they were first used with. " +
          `Try using a key other than '${key}' if you meant to execute a different request.`;
        throw new StripeError(400, "idempotency_error", message);
      }
      if (stored) return stored;
      if (inProgress.has(key)) {
        const message = `There is currently another in-progress request using this Idempotent Key: ${key}.`;
        throw new StripeError(409, "idempotency_error", message, { code: "idempotency_key_in_use" });
      }
      inProgress.add(key);
      return null;
    },
    /** Stores an answer. Call it within the transaction of its change. */
    save(key: string, request: string, { status, body }: StoredAnswer): void {
      insert.run(key, digestOf(request), status, body, now());
    },
    end(key: string): void {
      inProgress.delete(key);
    },
    deleteOld(): void {
      remove.run(now() - DAY_MS);
    },
  };
}

const digestOf = (request: string) => createHash("sha256").update(request).digest("base64url");
