import type { Db } from "db/schema";
import { accessGrantsOf, endAccessGrants, type AccessGrant } from "~/accounts/access-grants.server";
import { createLink, dropLinks, linkOf } from "~/accounts/link.server";
import type { Passwords } from "~/accounts/passwords/passwords";
import type { User } from "~/accounts/user.server";
import { emailKey } from "~/platform/forms/email-address";
import type { AccountMails } from "./account-mails.server";
import { byEmail, isCurrent, proofBy } from "./password-proof.server";

interface ConfirmedElsewhere {
  ended: Record<"sessions" | "tokens" | "shares" | "schedules", number>;
  /** Path and query of the link. */
  link: string;
}

/** Addresses of accounts: confirmed by a mailed link, and changed. */
export function createAccountAddresses({ db, passwords, mails }: { db: Db; passwords: Passwords; mails: AccountMails }) {
  const { post, link, waysIn, contact } = mails;
  return { sendVerification, verify, accessGrantsBehind, confirmElsewhere, requestEmail, announceEmail };

  async function sendVerification({ id, email, locale }: User): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await post(trx, "verify", email, locale, { link: await link(trx, id, "verify", email) });
    });
  }

  /**
   * Redeems a link that confirms an address, for its own account only.
   * @returns the result; null if the link is used, expired or for another account; "taken" if the new address now belongs to
   * another account
   */
  async function verify(userId: string, token: string): Promise<"verified" | "changed" | "taken" | null> {
    return db.transaction().execute(async (trx) => {
      const used = await linkOf(trx, token, ["verify", "change_email"]);
      if (used?.user_id !== userId) return null;
      const row = await trx.selectFrom("user").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
      if (used.purpose === "verify") {
        if (emailKey(used.email) !== row.email_key) return null;
        await trx.updateTable("user").set({ email_verified: 1 }).where("id", "=", userId).execute();
        await dropLinks(trx, userId, "verify");
        return "verified";
      }
      const other = await byEmail(trx, used.email);
      if (other && other.id !== userId) return "taken";
      await trx
        .updateTable("user")
        .set({ email: used.email, email_key: emailKey(used.email), email_verified: 1 })
        .where("id", "=", userId)
        .execute();
      // Links mailed to the old address become invalid.
      await dropLinks(trx, userId);
      await post(trx, "email_changed", row.email, row.locale, { email: used.email, contact });
      return "changed";
    });
  }

  /**
   * Access to an unconfirmed account (sessions, tokens, shares, schedules), shown to the user of the mailed link without a
   * sign-in: a stranger may have created it.
   * @returns null if the link is used or expired, or the address is already confirmed
   */
  async function accessGrantsBehind(token: string): Promise<{ userId: string; email: string; accessGrants: AccessGrant[] } | null> {
    const found = await linkOf(db, token, ["verify"]);
    if (!found) return null;
    const row = await db.selectFrom("user").select(["email", "email_key", "email_verified"]).where("id", "=", found.user_id).executeTakeFirstOrThrow();
    if (emailKey(found.email) !== row.email_key || row.email_verified === 1) return null;
    return { userId: found.user_id, email: row.email, accessGrants: await accessGrantsOf(db, found.user_id) };
  }

  /**
   * Confirms an address by its link, without a sign-in, and ends all access that the user does not keep. The password is removed
   * in any case: a stranger may have chosen it.
   * @param kept ids of `accessGrantsBehind`
   * @returns number of ended grants by kind, and a link to choose a password; null as in `accessGrantsBehind`
   */
  async function confirmElsewhere(token: string, kept: string[]): Promise<ConfirmedElsewhere | null> {
    return db.transaction().execute(async (trx) => {
      const used = await linkOf(trx, token, ["verify"]);
      if (!used) return null;
      const row = await trx.selectFrom("user").selectAll().where("id", "=", used.user_id).executeTakeFirstOrThrow();
      if (emailKey(used.email) !== row.email_key || row.email_verified === 1) return null;
      await trx.updateTable("user").set({ email_verified: 1, password: null }).where("id", "=", row.id).execute();
      const ended = await endAccessGrants(trx, row.id, kept);
      const count = (kind: AccessGrant["kind"]) => ended.filter((grant) => grant.kind === kind).length;
      const counts = { sessions: count("session"), tokens: count("token"), shares: count("share"), schedules: count("schedule") };
      const words = Object.fromEntries(Object.entries(counts).map(([kind, number]) => [kind, String(number)]));
      await post(trx, "confirmed_elsewhere", row.email, row.locale, { ...words, reset: waysIn.reset });
      return { ended: counts, link: await createLink(trx, row.id, "reset_password", row.email) };
    });
  }

  /**
   * Mails a link to the new address and a notice to the old one; the address changes only when the link is opened.
   * @param mayWriteTo rate limit, checked after the password: protects mailboxes from mail flooding
   * @returns false if the password is wrong
   */
  async function requestEmail(
    user: User,
    email: string,
    password: string,
    mayWriteTo: (email: string) => Promise<boolean>,
  ): Promise<boolean> {
    const proof = await proofBy({ db, passwords }, user.id, password);
    if (!proof) return false;
    const { locale } = user;
    const mayWrite = await mayWriteTo(email);
    return db.transaction().execute(async (trx) => {
      if (!(await isCurrent(trx, proof))) return false;
      const other = await byEmail(trx, email);
      await dropLinks(trx, user.id, "change_email");
      if (mayWrite && other && other.id !== user.id) {
        await post(trx, "already_registered", other.email, locale, waysIn);
      } else if (mayWrite) {
        await post(trx, "change_email", email, locale, { link: await link(trx, user.id, "change_email", email) });
      }
      await post(trx, "email_change_requested", user.email, user.locale, { email, reset: waysIn.reset });
      return true;
    });
  }

  /** Notifies the old address of a change at the hosted provider, which itself asks for confirmation of the new address. */
  async function announceEmail(user: User, email: string): Promise<void> {
    await db.transaction().execute((trx) => post(trx, "email_change_hosted", user.email, user.locale, { email, contact }));
  }
}
