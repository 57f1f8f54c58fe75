import type { Db } from "db/schema";
import { emailKey } from "~/platform/forms/email-address";
import { hashOf } from "~/platform/crypto/tokens.server";
import { DAY_MS } from "~/platform/durations";

const UNUSED_MS = 365 * DAY_MS;
/** Maximum known browsers of an account. */
const MOST_BROWSERS = 50;

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/** Browsers of earlier sign-ins, identified by the random id in a cookie. */
export function createKnownBrowsers({ db, now = Date.now }: { db: Db; now?: () => number }) {
  return { isKnown, note, deleteUnused };

  /** True if this browser has signed in to the account with that address. Local accounts only. */
  async function isKnown(id: string, email: string): Promise<boolean> {
    const row = await db
      .selectFrom("known_browser")
      .innerJoin("user", "user.id", "known_browser.user_id")
      .select("user.id")
      .where("known_browser.id_hash", "=", hashOf(id))
      .where("user.email_key", "=", emailKey(email))
      .where("user.subject", "is", null)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** @returns true if the browser was already known */
  async function note(id: string, userId: string): Promise<boolean> {
    const key = { id_hash: hashOf(id), user_id: userId };
    const { numUpdatedRows } = await db
      .updateTable("known_browser")
      .set({ seen_at: now() })
      .where("id_hash", "=", key.id_hash)
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return true;
    await db
      .insertInto("known_browser")
      .values({ ...key, seen_at: now() })
      .onConflict((conflict) => conflict.columns(["id_hash", "user_id"]).doUpdateSet({ seen_at: now() }))
      .execute();
    await forgetBeyond(userId);
    return false;
  }

  async function forgetBeyond(userId: string): Promise<void> {
    const latest = db
      .selectFrom("known_browser")
      .select("id_hash")
      .where("user_id", "=", userId)
      .orderBy("seen_at", "desc")
      .limit(MOST_BROWSERS);
    await db.deleteFrom("known_browser").where("user_id", "=", userId).where("id_hash", "not in", latest).execute();
  }

  async function deleteUnused(): Promise<void> {
    await db
      .deleteFrom("known_browser")
      .where("seen_at", "<=", now() - UNUSED_MS)
      .execute();
  }
}
