import type { Db, Trx } from "db/schema";
import { DAY_MS } from "~/platform/durations";

/** Time for which an idempotency key is stored. */
const KEPT_MS = DAY_MS;
/** Lease of a key, longer than any request: afterwards, the process that holds the key has crashed. */
const ABANDONED_MS = 60_000;

/**
 * `granted`: continue, then `settle` or `release`; `settled`: an earlier request has started this run; `under_way`: another
 * request with the key is in progress; `other_request`: the key belongs to a request with other content.
 */
export type Claim =
  | { kind: "granted" }
  | { kind: "settled"; runId: string }
  | { kind: "under_way" }
  | { kind: "other_request" };

/** Key that an API client gives to a request, so that it can retry safely. */
export interface IdempotencyKey {
  tokenId: string;
  key: string;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Idempotency: a client without an answer may retry, and the run starts only once. */
export function createIdempotency({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { claim, settle, release, deleteExpired };

  /** @param requestHash hash of the request's content: the same key with other content is an error */
  async function claim({ tokenId, key }: IdempotencyKey, requestHash: string): Promise<Claim> {
    const at = now();
    return db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom("idempotency_key")
        .where("token_id", "=", tokenId)
        .where("key", "=", key)
        .where((eb) =>
          eb.or([
            eb("created_at", "<=", at - KEPT_MS),
            eb.and([eb("run_id", "is", null), eb("created_at", "<=", at - ABANDONED_MS)]),
          ]),
        )
        .execute();
      const known = await trx
        .selectFrom("idempotency_key")
        .selectAll()
        .where("token_id", "=", tokenId)
        .where("key", "=", key)
        .executeTakeFirst();
      if (known && known.request_hash !== requestHash) return { kind: "other_request" };
      if (known) return known.run_id === null ? { kind: "under_way" } : { kind: "settled", runId: known.run_id };
      await trx
        .insertInto("idempotency_key")
        .values({ token_id: tokenId, key, request_hash: requestHash, run_id: null, created_at: at })
        .execute();
      return { kind: "granted" };
    });
  }

  /**
   * Stores the run of a key, in the transaction that starts the run: otherwise a retry would start it again.
   * @throws {Error} if another request has taken the key
   */
  async function settle(trx: Trx, { tokenId, key }: IdempotencyKey, runId: string): Promise<void> {
    const { numUpdatedRows } = await trx
      .updateTable("idempotency_key")
      .set({ run_id: runId })
      .where("token_id", "=", tokenId)
      .where("key", "=", key)
      .where("run_id", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Error("the idempotency key was taken over");
  }

  /** Frees the key after a request that started no run. */
  async function release({ tokenId, key }: IdempotencyKey): Promise<void> {
    await db
      .deleteFrom("idempotency_key")
      .where("token_id", "=", tokenId)
      .where("key", "=", key)
      .where("run_id", "is", null)
      .execute();
  }

  async function deleteExpired(): Promise<void> {
    await db
      .deleteFrom("idempotency_key")
      .where("created_at", "<=", now() - KEPT_MS)
      .execute();
  }
}
