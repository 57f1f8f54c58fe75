import type { Cookie } from "@remix-run/node";
import type { Db } from "db/schema";
import { hashOf, randomToken } from "~/platform/crypto/tokens.server";
import { hostCookie, type HostCookieOptions } from "~/accounts/host-cookie.server";
import { toUser, type User } from "~/accounts/user.server";

/** Lifetime: long enough to fetch a phone or a printed code. */
const LIFE_SECONDS = 10 * 60;

export interface PendingSignIn {
  user: User;
  /** True if the user has just got a mail about the same event. */
  isTold: boolean;
  idHash: string;
}

/** Cookie with the random id of a sign-in that waits for its second factor. */
export function createPendingCookie(options: HostCookieOptions): Cookie {
  return hostCookie("second-step", options, LIFE_SECONDS);
}

export type PendingSignIns = ReturnType<typeof createPendingSignIns>;

/** Sign-ins with a correct password that wait for the second factor. They are no sessions and give no rights. */
export function createPendingSignIns({ db, cookie, now = Date.now }: { db: Db; cookie: Cookie; now?: () => number }) {
  return {
    /** @returns the cookie to set */
    async begin({ userId, isTold }: { userId: string; isTold: boolean }): Promise<string> {
      const id = randomToken();
      await db
        .insertInto("pending_sign_in")
        .values({ id_hash: hashOf(id), user_id: userId, is_told: isTold ? 1 : 0, expires_at: now() + LIFE_SECONDS * 1_000 })
        .execute();
      return cookie.serialize(id);
    },

    /** Pending sign-in of this browser; null if there is none, or it has expired. */
    async of(request: Request): Promise<PendingSignIn | null> {
      const id: unknown = await cookie.parse(request.headers.get("Cookie"));
      if (typeof id !== "string") return null;
      const row = await db
        .selectFrom("pending_sign_in")
        .innerJoin("user", "user.id", "pending_sign_in.user_id")
        .selectAll("user")
        .select(["pending_sign_in.id_hash", "pending_sign_in.is_told"])
        .where("pending_sign_in.id_hash", "=", hashOf(id))
        .where("pending_sign_in.expires_at", ">", now())
        .executeTakeFirst();
      return row ? { user: toUser(row), isTold: row.is_told === 1, idHash: row.id_hash } : null;
    },

    /** @returns the cookie to set */
    async end({ idHash }: PendingSignIn): Promise<string> {
      await db.deleteFrom("pending_sign_in").where("id_hash", "=", idHash).execute();
      return cookie.serialize("", { maxAge: 0 });
    },

    async deleteExpired(): Promise<void> {
      await db.deleteFrom("pending_sign_in").where("expires_at", "<=", now()).execute();
    },
  };
}
