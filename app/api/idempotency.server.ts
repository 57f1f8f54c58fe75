import type { Db } from "db/schema";

const DAY_MS = 86_400_000;
/** As long as a key is remembered. */
const KEPT_MS = DAY_MS;
/** Nothing that is done once takes longer; whoever holds a key after that has died. */
const ABANDONED_MS = 60_000;

/**
 * `granted`: go on, then `settle` or `release`; `settled`: it was done before, and this run came of it; `under_way`:
 * somebody else is about to; `other_request`: the key was for something else.
 */
export type Claim =
  | { kind: "granted" }
  | { kind: "settled"; runId: string }
  | { kind: "under_way" }
  | { kind: "other_request" };

/** A name that a program gives to one of its requests, so that it can send it again. */
export interface IdempotencyKey {
  tokenId: string;
  key: string;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Has runs started once, however often a program that has lost the answer asks for them. */
export function createIdempotency({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { claim, settle, release, deleteExpired };

  /** @param requestHash of what is asked for: the same key for something else is a mistake */
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

  async function settle({ tokenId, key }: IdempotencyKey, runId: string): Promise<void> {
    await db
      .updateTable("idempotency_key")
      .set({ run_id: runId })
      .where("token_id", "=", tokenId)
      .where("key", "=", key)
      .execute();
  }

  /** Nothing came of it: the key is free again. */
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
