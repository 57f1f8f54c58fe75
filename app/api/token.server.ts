import type { Selectable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { ApiTokenTable } from "db/tables/api";
import { MOST_TOKENS, type Scope, type TokenView } from "./scopes";
import { waitBriefly } from "~/platform/async/wait-briefly";
import { hashOf, randomId, randomToken } from "~/platform/crypto/tokens.server";
import { DAY_MS, HOUR_MS } from "~/platform/durations";
import { toUser, type User } from "~/accounts/user.server";

/** Prefix by which people and secret scanners recognise a leaked token. */
const PREFIX = "rampe_";
/** Syntax of a token: the prefix, and 256 bits in Base64url. */
const FORM = /^rampe_[\w-]{43}$/;
const SHOWN_CHARACTERS = 4;
/** Interval of stored uses: database writes are expensive, and an hour is precise enough. */
const TOUCH_EVERY_MS = HOUR_MS;
/** Time for which expired tokens stay listed, so that owners see why a program stopped. */
const KEPT_EXPIRED_MS = 30 * DAY_MS;

export interface NewToken {
  name: string;
  scopes: Scope[];
  /** Days until expiry; null for none. */
  days: number | null;
}

/** User of a token, and the token's scopes. */
export interface TokenHolder {
  tokenId: string;
  user: User;
  scopes: Scope[];
}

export interface ApiTokensOptions {
  db: Db;
  /** Notifies the owner of a new token, in the transaction that creates it. */
  tell?: (trx: Trx, owner: User, token: Pick<NewToken, "name">) => Promise<void>;
  now?: () => number;
}

export type ApiTokens = ReturnType<typeof createApiTokens>;

/** Personal API tokens, stored as hashes. A password change keeps them; a password reset or account deletion ends them. */
export function createApiTokens({ db, tell = async () => {}, now = Date.now }: ApiTokensOptions) {
  return { create, list, holderOf, revoke, deleteExpired };

  /** @returns the token, which cannot be read again later; null if the user has the maximum of tokens */
  async function create(userId: string, { name, scopes, days }: NewToken): Promise<string | null> {
    const token = `${PREFIX}${randomToken()}`;
    const at = now();
    return db.transaction().execute(async (trx) => {
      const { count } = await trx
        .selectFrom("api_token")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      if (count >= MOST_TOKENS) return null;
      await trx
        .insertInto("api_token")
        .values({
          id: randomId(),
          user_id: userId,
          token_hash: hashOf(token),
          ending: token.slice(-SHOWN_CHARACTERS),
          name,
          scopes: JSON.stringify(scopes),
          created_at: at,
          expires_at: days === null ? null : at + days * DAY_MS,
        })
        .execute();
      const owner = await trx.selectFrom("user").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
      await tell(trx, toUser(owner), { name });
      return token;
    });
  }

  /** Tokens of a user, the latest first, with recently expired ones. */
  async function list(userId: string): Promise<TokenView[]> {
    const rows = await db
      .selectFrom("api_token")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute();
    return rows.map((row) => toView(row, now()));
  }

  /** Owner of a token; null for an invalid, revoked or expired token. Updates the time of last use. */
  async function holderOf(token: string): Promise<TokenHolder | null> {
    if (!FORM.test(token)) return null;
    const at = now();
    const row = await db
      .selectFrom("api_token")
      .innerJoin("user", "user.id", "api_token.user_id")
      .selectAll("user")
      .select(["api_token.id as token_id", "scopes", "last_used_at"])
      .where("token_hash", "=", hashOf(token))
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", at)]))
      .where("user.disabled_at", "is", null)
      .executeTakeFirst();
    if (!row) return null;
    if (at - (row.last_used_at ?? 0) >= TOUCH_EVERY_MS) {
      // No error if the database cannot be written: reading reports must still work.
      await waitBriefly(db.updateTable("api_token").set({ last_used_at: at }).where("id", "=", row.token_id).execute(), []);
    }
    return { tokenId: row.token_id, user: toUser(row), scopes: JSON.parse(row.scopes) as Scope[] };
  }

  /** Revokes a token at once. @returns false if the user has no token with that id */
  async function revoke(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("api_token")
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  async function deleteExpired(): Promise<void> {
    await db
      .deleteFrom("api_token")
      .where("expires_at", "<=", now() - KEPT_EXPIRED_MS)
      .execute();
  }
}

function toView(row: Selectable<ApiTokenTable>, at: number): TokenView {
  return {
    id: row.id,
    name: row.name,
    ending: row.ending,
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    expired: row.expires_at !== null && row.expires_at <= at,
    lastUsedAt: row.last_used_at,
  };
}
