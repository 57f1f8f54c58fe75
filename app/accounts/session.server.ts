import type { Selectable } from "kysely";
import type { Db } from "db/schema";
import type { SessionTable, UserTable } from "db/tables/accounts";
import type { Flash } from "~/platform/http/flash";
import type { SealedColumn } from "~/platform/crypto/sealed-column.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { hashOf, randomToken } from "~/platform/crypto/tokens.server";
import { DAY_MS, HOUR_MS } from "~/platform/durations";
import { endSessions } from "./access-grants.server";
import type { HostedTokens } from "./hosted/hosted";
import { toUser, type User } from "./user.server";

/** Grace period: a double click does not sign the user out. */
const RETIRED_MS = 30_000;
/** Lifetime of a guest session, which only carries data to one of the next pages. */
const GUEST_MS = HOUR_MS;
/** Interval of stored uses: writes are expensive, and an hour does not matter. */
const TOUCH_EVERY_MS = HOUR_MS;

/** Fields of a form that was not processed because the session had ended. */
export interface KeptForm {
  path: string;
  fields: [name: string, value: string][];
  /** User of the ended session; null if unknown. */
  owner: string | null;
}

export interface Session {
  /** Id of the session in lists and forms; it gives no access. */
  idHash: string;
  user: User | null;
  flash: Flash | null;
  kept: KeptForm | null;
  tokens: HostedTokens | null;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
}

export interface ListedSession {
  idHash: string;
  browser: string | null;
  createdAt: number;
  seenAt: number;
}

export interface NewSession {
  userId: string | null;
  /** Time of the sign-in, if earlier than now: Unix time in ms. */
  createdAt?: number;
  tokens?: HostedTokens | null;
  browser?: string | null;
  flash?: Flash | null;
  kept?: KeptForm | null;
}

export interface SessionsOptions {
  db: Db;
  box: SecretBox;
  /** Lifetime of a signed-in session, from its last use. */
  days: number;
}

const purposeOf = (what: "tokens" | "kept", idHash: string) => `${what} ${idHash}`;

export const SEALED_IN_SESSIONS = (["tokens", "kept"] as const).map((column): SealedColumn => ({ table: "session", column, key: "id_hash", purposeOf: (idHash) => purposeOf(column, idHash) }));

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions of users and guests. Only the browser knows the id in its cookie; the database has its hash. */
export function createSessions({ db, box, days }: SessionsOptions) {
  const lifeOf = (userId: string | null) => (userId === null ? GUEST_MS : days * DAY_MS);

  return { begin, find, touch, retire, end, endAll, endOne, ownerOf, list, setFlash, dropFlash, keepForm, dropKept, tokensOf, setTokens, deleteExpired };

  /** @returns id for the cookie */
  async function begin({ userId, createdAt, tokens = null, browser = null, flash = null, kept = null }: NewSession): Promise<string> {
    const id = randomToken();
    const idHash = hashOf(id);
    const now = Date.now();
    await db
      .insertInto("session")
      .values({
        id_hash: idHash,
        user_id: userId,
        tokens: tokens && seal("tokens", idHash, tokens),
        flash: flash && JSON.stringify(flash),
        kept: kept && seal("kept", idHash, kept),
        browser,
        created_at: createdAt ?? now,
        seen_at: now,
        expires_at: now + lifeOf(userId),
      })
      .execute();
    return id;
  }

  /** Session of a cookie with its user, in one query; undefined if there is none, or it has expired. */
  async function find(id: string, now = Date.now()): Promise<Session | undefined> {
    const row = await db
      .selectFrom("session")
      .leftJoin("user", "user.id", "session.user_id")
      .selectAll("session")
      .select([
        "user.id",
        "user.subject",
        "user.email",
        "user.email_verified",
        "user.name",
        "user.locale",
        "user.created_at as user_created_at",
        "user.administrator",
      ])
      .where("id_hash", "=", hashOf(id))
      .where("expires_at", ">", now)
      // Also for sessions that began while the account was being disabled.
      .where("user.disabled_at", "is", null)
      .executeTakeFirst();
    return row && toSession(row);
  }

  function toSession(row: SessionRow): Session {
    const { id, email, email_verified, name, locale, administrator, user_created_at } = row;
    const isComplete = id !== null && email !== null && email_verified !== null && name !== null && locale !== null && administrator !== null;
    return {
      idHash: row.id_hash,
      user: isComplete
        ? toUser({ id, subject: row.subject, email, email_verified, name, locale, created_at: user_created_at ?? 0, administrator, disabled_at: null })
        : null,
      flash: row.flash === null ? null : (JSON.parse(row.flash) as Flash),
      kept: open<KeptForm>("kept", row.id_hash, row.kept),
      tokens: open<HostedTokens>("tokens", row.id_hash, row.tokens),
      createdAt: row.created_at,
      seenAt: row.seen_at,
      expiresAt: row.expires_at,
    };
  }

  /** Extends a session in use. @returns true if the cookie has to be sent again */
  async function touch({ idHash, user, seenAt }: Session, now = Date.now()): Promise<boolean> {
    if (user === null || now - seenAt < TOUCH_EVERY_MS) return false;
    await db
      .updateTable("session")
      .set({ seen_at: now, expires_at: now + lifeOf(user.id) })
      .where("id_hash", "=", idHash)
      .execute();
    return true;
  }

  /** Ends a replaced session after a grace period: a double click does not sign the user out. */
  async function retire(idHash: string, now = Date.now()): Promise<void> {
    await db
      .updateTable("session")
      .set({ seen_at: now, expires_at: now + RETIRED_MS, flash: null, kept: null, tokens: null })
      .where("id_hash", "=", idHash)
      .execute();
  }

  async function end(idHash: string): Promise<void> {
    await db.deleteFrom("session").where("id_hash", "=", idHash).execute();
  }

  /** Signs a user out everywhere, and forgets all known browsers. */
  async function endAll(userId: string): Promise<void> {
    await db.transaction().execute((trx) => endSessions(trx, userId));
  }

  /** @returns false if the user has no such session */
  async function endOne(userId: string, idHash: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("session")
      .where("user_id", "=", userId)
      .where("id_hash", "=", idHash)
      .executeTakeFirstOrThrow();
    // All known browsers, because the browser of the session is unknown. Other browsers cause one more sign-in mail.
    if (numDeletedRows > 0n) await db.deleteFrom("known_browser").where("user_id", "=", userId).execute();
    return numDeletedRows > 0n;
  }

  /** Owner of a cookie's session, also of an expired one. */
  async function ownerOf(id: string): Promise<string | null> {
    const row = await db.selectFrom("session").select("user_id").where("id_hash", "=", hashOf(id)).executeTakeFirst();
    return row?.user_id ?? null;
  }

  /** Sessions of a user, the latest first. */
  async function list(userId: string, now = Date.now()): Promise<ListedSession[]> {
    const rows = await db
      .selectFrom("session")
      .select(["id_hash", "browser", "created_at", "seen_at"])
      .where("user_id", "=", userId)
      // Without sessions in the grace period, which have been replaced.
      .where("expires_at", ">", now + RETIRED_MS)
      .orderBy("seen_at", "desc")
      .execute();
    return rows.map((row) => ({
      idHash: row.id_hash,
      browser: row.browser,
      createdAt: row.created_at,
      seenAt: row.seen_at,
    }));
  }

  async function setFlash(idHash: string, flash: Flash): Promise<void> {
    await db.updateTable("session").set({ flash: JSON.stringify(flash) }).where("id_hash", "=", idHash).execute();
  }

  async function dropFlash(idHash: string): Promise<void> {
    await db.updateTable("session").set({ flash: null }).where("id_hash", "=", idHash).execute();
  }

  async function keepForm(idHash: string, form: KeptForm): Promise<void> {
    await db.updateTable("session").set({ kept: seal("kept", idHash, form) }).where("id_hash", "=", idHash).execute();
  }

  async function dropKept(idHash: string): Promise<void> {
    await db.updateTable("session").set({ kept: null }).where("id_hash", "=", idHash).execute();
  }

  /** Stored tokens; null if the session has ended. */
  async function tokensOf(idHash: string): Promise<HostedTokens | null> {
    const row = await db.selectFrom("session").select("tokens").where("id_hash", "=", idHash).executeTakeFirst();
    return open<HostedTokens>("tokens", idHash, row?.tokens ?? null);
  }

  async function setTokens(idHash: string, tokens: HostedTokens | null): Promise<void> {
    await db
      .updateTable("session")
      .set({ tokens: tokens && seal("tokens", idHash, tokens) })
      .where("id_hash", "=", idHash)
      .execute();
  }

  async function deleteExpired(now = Date.now()): Promise<void> {
    await db.deleteFrom("session").where("expires_at", "<=", now).execute();
  }

  function seal(what: "tokens" | "kept", idHash: string, value: unknown): string {
    return box.seal(JSON.stringify(value), purposeOf(what, idHash));
  }

  function open<Value>(what: "tokens" | "kept", idHash: string, sealed: string | null): Value | null {
    const text = sealed === null ? null : box.open(sealed, purposeOf(what, idHash));
    return text === null ? null : (JSON.parse(text) as Value);
  }
}

type UserColumns = Pick<
  Selectable<UserTable>,
  "id" | "subject" | "email" | "email_verified" | "name" | "locale" | "administrator"
>;
type SessionRow = Selectable<SessionTable> & { [Name in keyof UserColumns]: UserColumns[Name] | null } & {
  user_created_at: number | null;
};
