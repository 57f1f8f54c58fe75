import type { Db, Trx } from "db/schema";
import { endAccess, endSharesAndSchedules, endTokens } from "~/accounts/access-grants.server";
import { dropLinks, linkOf } from "~/accounts/link.server";
import type { Passwords } from "~/accounts/passwords/passwords";
import { toUser, type User } from "~/accounts/user.server";
import { readablePassword } from "~/platform/crypto/tokens.server";
import { parseEmailAddress } from "~/platform/forms/email-address";
import { withReturnTo } from "~/platform/http/return-to";
import type { Locale } from "~/platform/i18n/i18n";
import type { AccountMails } from "./account-mails.server";
import { byEmail, isCurrent, proofBy } from "./password-proof.server";

/** Records an action of the operator on an account. */
export type NoteReset = (trx: Trx, person: Pick<User, "id" | "email">) => Promise<void>;

/** Passwords of local accounts: checked, changed, and reset by a mailed link or by the operator. */
export function createAccountPasswords({ db, passwords, mails }: { db: Db; passwords: Passwords; mails: AccountMails }) {
  const { post, link, baseUrl } = mails;
  return { requestPasswordReset, ownerOfReset, resetPassword, resetByOperator, mailReset, changePassword, hasNoPassword, checkPassword };

  /**
   * Mails a link to a known address; to an unknown address, a mail that it has no account.
   * @param returnTo path on our own origin, added to the links
   */
  async function requestPasswordReset(email: string, locale: Locale, returnTo?: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const row = await byEmail(trx, email);
      if (!row) return post(trx, "no_account", email, locale, { link: withReturnTo(`${baseUrl}/register`, returnTo) });
      const address = await link(trx, row.id, "reset_password", row.email);
      await post(trx, "reset_password", row.email, locale, { link: withReturnTo(address, returnTo) });
    });
  }

  /** Owner of the account of a reset link; null if the link is used or expired. */
  async function ownerOfReset(token: string): Promise<User | null> {
    const found = await linkOf(db, token, ["reset_password"]);
    if (!found) return null;
    return toUser(await db.selectFrom("user").selectAll().where("id", "=", found.user_id).executeTakeFirstOrThrow());
  }

  /**
   * Sets a new password by reset link. The link proves the address: all sessions and tokens end. If the address was unconfirmed,
   * shares and schedules end as well: a stranger may have created them.
   * @returns null if the link is used or expired
   */
  async function resetPassword(token: string, newPassword: string): Promise<User | null> {
    if (!(await ownerOfReset(token))) return null;
    const password = await passwords.hash(newPassword);
    return db.transaction().execute(async (trx) => {
      const used = await linkOf(trx, token, ["reset_password"]);
      if (!used) return null;
      const { email_verified: wasVerified, password: former } = await trx
        .selectFrom("user")
        .select(["email_verified", "password"])
        .where("id", "=", used.user_id)
        .executeTakeFirstOrThrow();
      const row = await trx
        .updateTable("user")
        .set({ password, email_verified: 1 })
        .where("id", "=", used.user_id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (former === null) {
        // `confirmElsewhere` has removed the old password, and the user has already chosen the access to keep.
        await dropLinks(trx, row.id);
        return toUser(row);
      }
      await endAccess(trx, row.id);
      await endTokens(trx, row.id);
      if (wasVerified !== 1) await endSharesAndSchedules(trx, row.id);
      const kind = wasVerified === 1 ? "password_reset" : "password_reset_unconfirmed";
      await post(trx, kind, row.email, row.locale, { link: `${baseUrl}/forgot-password` });
      return toUser(row);
    });
  }

  /**
   * Sets a generated password, signs the user out everywhere, and ends all tokens. For the operator, on the server.
   * @param note records the action in the same transaction
   * @returns the password; null if there is no account with the address
   */
  async function resetByOperator(typed: string, note: NoteReset = async () => {}): Promise<string | null> {
    const email = parseEmailAddress(typed) ?? typed;
    const newPassword = readablePassword();
    const password = await passwords.hash(newPassword);
    return db.transaction().execute(async (trx) => {
      const row = await byEmail(trx, email);
      if (!row) return null;
      await trx.updateTable("user").set({ password }).where("id", "=", row.id).execute();
      await endAccess(trx, row.id);
      await endTokens(trx, row.id);
      await note(trx, row);
      return newPassword;
    });
  }

  /** Mails a link to choose a new password, at the request of an administrator. */
  async function mailReset(trx: Trx, { id, email, locale }: User): Promise<void> {
    await post(trx, "reset_password", email, locale, { link: await link(trx, id, "reset_password", email) });
  }

  /**
   * Changes the password and ends all sessions except `keepSession`, which the caller replaces.
   * @returns false if the current password is wrong; true after a double click, which finds the new password already set
   */
  async function changePassword(user: User, current: string, next: string, keepSession: string): Promise<boolean> {
    const isSet = async () => (await proofBy({ db, passwords }, user.id, next)) !== undefined;
    const proof = await proofBy({ db, passwords }, user.id, current);
    if (!proof) return isSet();
    const password = await passwords.hash(next);
    const isChanged = await db.transaction().execute(async (trx) => {
      if (!(await isCurrent(trx, proof))) return false;
      await trx.updateTable("user").set({ password }).where("id", "=", user.id).execute();
      await endAccess(trx, user.id, keepSession);
      await post(trx, "password_changed", user.email, user.locale, {
        link: `${baseUrl}/forgot-password`,
      });
      return true;
    });
    // The first of two clicks was faster.
    return isChanged || isSet();
  }

  /** True if `confirmElsewhere` has removed the password, and no new one is chosen yet. */
  async function hasNoPassword({ id }: User): Promise<boolean> {
    const { password } = await db.selectFrom("user").select("password").where("id", "=", id).executeTakeFirstOrThrow();
    return password === null;
  }

  async function checkPassword({ id }: User, password: string): Promise<boolean> {
    return (await proofBy({ db, passwords }, id, password)) !== undefined;
  }
}
