import type { Db, Trx } from "db/schema";
import { hashOf, randomToken } from "~/platform/crypto/tokens.server";
import { DAY_MS, HOUR_MS } from "~/platform/durations";

/** The purpose of a link in a mail. */
export type Purpose = "verify" | "change_email" | "reset_password";

const LIFE_MS: Record<Purpose, number> = {
  verify: 7 * DAY_MS,
  change_email: DAY_MS,
  reset_password: HOUR_MS,
};
const PATHS: Record<Purpose, string> = {
  verify: "/account/verify",
  change_email: "/account/verify",
  reset_password: "/reset-password",
};

/** Creates a one-time link, stored with its recipient's address. @returns its path and query */
export async function createLink(trx: Trx, userId: string, purpose: Purpose, email: string): Promise<string> {
  const token = randomToken();
  const expiresAt = Date.now() + LIFE_MS[purpose];
  await trx
    .insertInto("account_link")
    .values({ token_hash: hashOf(token), user_id: userId, purpose, email, expires_at: expiresAt })
    .execute();
  return `${PATHS[purpose]}?token=${token}`;
}

/** @returns undefined if the link is used, has expired, or has another purpose */
export async function linkOf(db: Db | Trx, token: string, purposes: Purpose[]) {
  return db
    .selectFrom("account_link")
    .selectAll()
    .where("token_hash", "=", hashOf(token))
    .where("purpose", "in", purposes)
    .where("expires_at", ">", Date.now())
    .executeTakeFirst();
}

/** @param purpose purpose of the links; all links if omitted */
export async function dropLinks(trx: Trx, userId: string, purpose?: Purpose): Promise<void> {
  let links = trx.deleteFrom("account_link").where("user_id", "=", userId);
  if (purpose) links = links.where("purpose", "=", purpose);
  await links.execute();
}

export async function deleteExpiredLinks(db: Db, now = Date.now()): Promise<void> {
  await db.deleteFrom("account_link").where("expires_at", "<=", now).execute();
}
