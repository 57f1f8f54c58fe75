import type { Db, Trx } from "db/schema";
import { emailKey, parseEmailAddress } from "~/platform/forms/email-address";
import type { Locale } from "~/platform/i18n/i18n";
import { withReturnTo } from "~/platform/http/return-to";
import { TIME_ZONE } from "~/platform/i18n/time-zone";
import { randomId, readablePassword } from "~/platform/crypto/tokens.server";
import type { Passwords, QueueEntry } from "./passwords/passwords";
import type { Letter, LetterKind } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import { createLink, deleteExpiredLinks, dropLinks, linkOf, type Purpose } from "./link.server";
import { endAccess, endAccessGrants, endSharesAndSchedules, endTokens, accessGrantsOf, type AccessGrant } from "./access-grants.server";
import { admits, AdmissionUsed, type Admission } from "./registration.server";
import { removeUser, toUser, type User } from "./user.server";

export interface AccountsOptions {
  db: Db;
  passwords: Passwords;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: (kind: LetterKind, locale: Locale, values: Record<string, string>) => Letter;
  /** Public origin, for the links in mails. */
  baseUrl: string;
}

export type Accounts = ReturnType<typeof accountsBy>;
export type AllAccounts = ReturnType<typeof createAccounts>;

interface NewPerson {
  email: string;
  name: string;
  password: string;
  locale: Locale;
  /** Of the link that they opened. */
  admission?: Admission | null;
}

/** Records what the operator did to an account. */
export type NoteReset = (trx: Trx, person: Pick<User, "id" | "email">) => Promise<void>;

interface ConfirmedElsewhere {
  ended: Record<"sessions" | "tokens" | "shares" | "schedules", number>;
  /** Path and query. */
  link: string;
}

interface Registered {
  user: User;
  /** False if the account existed before. */
  isNew: boolean;
}

/** @returns the accounts; `queuedAs`: the same, with password checks queued under a given entry */
export function createAccounts(options: AccountsOptions) {
  return { ...accountsBy(options), queuedAs: (entry: QueueEntry) => accountsBy({ ...options, passwords: options.passwords.queuedAs(entry) }) };
}

/**
 * Local accounts, authenticated by password. No account enumeration: form answers, and the work for them, are the same for known
 * and unknown addresses; only mails tell the difference. Exception: registration opens the new account at once (a lost mail must
 * not lock its owner out), so it cannot hide which addresses are known; the owner of a known address gets a mail about that.
 */
function accountsBy({ db, passwords, mails, write, baseUrl }: AccountsOptions) {
  const waysIn = { link: `${baseUrl}/login`, reset: `${baseUrl}/forgot-password` };
  const contact = `${baseUrl}/contact`;

  return {
    register,
    signIn,
    requestPasswordReset,
    resetPassword,
    ownerOfReset,
    sendVerification,
    verify,
    checkPassword,
    hasNoPassword,
    accessGrantsBehind,
    confirmElsewhere,
    announceSignIn,
    changePassword,
    requestEmail,
    announceEmail,
    remove,
    resetByOperator,
    mailReset,
    removeByOperator,
    deleteExpiredLinks: (now = Date.now()) => deleteExpiredLinks(db, now),
  };

  /**
   * Creates an account; account and mail in one transaction. For a known address the password must be the one of that account, as
   * for signing in; otherwise the account owner gets a mail.
   * @param mayWriteTo rate limit, asked before a mail is written: protects mailboxes from mail flooding
   * @returns null if the address has an account with another password
   * @throws {AdmissionUsed}
   */
  async function register(person: NewPerson, mayWriteTo: (email: string) => Promise<boolean> = async () => true): Promise<Registered | null> {
    if (!(await byEmail(db, person.email))) {
      const created = await create(person, mayWriteTo);
      if (created) return { user: created, isNew: true };
    }
    const user = await signIn(person.email, person.password);
    if (user) return { user, isNew: false };
    const owner = await byEmail(db, person.email);
    if (owner && (await mayWriteTo(owner.email))) {
      await db.transaction().execute((trx) => post(trx, "already_registered", owner.email, person.locale, waysIn));
    }
    return null;
  }

  /** @returns null if a concurrent request was first */
  async function create({ email, name, locale, admission = null, ...person }: NewPerson, mayWriteTo: (email: string) => Promise<boolean>) {
    const password = await passwords.hash(person.password);
    // The link went to this address.
    const isConfirmed = admission !== null && admission.email !== null && admits(admission, email);
    const mayWrite = !isConfirmed && (await mayWriteTo(email));
    return db.transaction().execute(async (trx) => {
      if (await byEmail(trx, email)) return null;
      const id = randomId();
      const row = await trx
        .insertInto("user")
        .values({ id, email, email_key: emailKey(email), email_verified: isConfirmed ? 1 : 0, name, password, locale, created_at: Date.now() })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (admission && !(await admission.redeem(trx, id))) throw new AdmissionUsed();
      if (mayWrite) await post(trx, "verify", email, locale, { link: await link(trx, id, "verify", email) });
      return toUser(row);
    });
  }

  /** @returns undefined when address and password do not belong together */
  async function signIn(email: string, password: string): Promise<User | undefined> {
    const row = await byEmail(db, email);
    const matches = await passwords.matches(password, row?.password ?? null);
    // The check may wait in the password queue; the password may have changed meanwhile.
    return row && matches && (await isCurrent(db, row)) ? toUser(row) : undefined;
  }

  /**
   * Mails a link to a known address; tells an unknown address that it has no account.
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

  /** The account owner of a reset link; null if the link is used or expired. */
  async function ownerOfReset(token: string): Promise<User | null> {
    const found = await linkOf(db, token, ["reset_password"]);
    if (!found) return null;
    return toUser(await db.selectFrom("user").selectAll().where("id", "=", found.user_id).executeTakeFirstOrThrow());
  }

  /**
   * Sets a new password by reset link. The link proves the address: all sessions and tokens end. If the address was unconfirmed,
   * shares and schedules end as well: a stranger may have made them.
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
        // `confirmElsewhere` has removed the former password; the user chose there what to keep.
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
   * For the operator, on the server: sets a generated password, signs the user out everywhere, and ends all tokens.
   * @param note records it in the same transaction
   * @returns the password; null if no account has the address
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

  /** Mails a link to choose a new password, for an administrator. */
  async function mailReset(trx: Trx, { id, email, locale }: User): Promise<void> {
    await post(trx, "reset_password", email, locale, { link: await link(trx, id, "reset_password", email) });
  }

  /** Deletes an account for an administrator, who has asked `billing` before. */
  async function removeByOperator(trx: Trx, { id, email, locale }: User): Promise<void> {
    await removeUser(trx, id);
    await post(trx, "account_deleted_by_operator", email, locale, { contact });
  }

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
   * Access to an unconfirmed account (sessions, tokens, shares, schedules), for the user of the mailed link who is not signed in:
   * a stranger may have made it.
   * @returns null if the link is used or expired
   */
  async function accessGrantsBehind(token: string): Promise<{ userId: string; email: string; accessGrants: AccessGrant[] } | null> {
    const found = await linkOf(db, token, ["verify"]);
    if (!found) return null;
    const row = await db.selectFrom("user").select(["email", "email_key"]).where("id", "=", found.user_id).executeTakeFirstOrThrow();
    if (emailKey(found.email) !== row.email_key) return null;
    return { userId: found.user_id, email: row.email, accessGrants: await accessGrantsOf(db, found.user_id) };
  }

  /**
   * Confirms an address by its link, without a sign-in, and ends all access that the user does not keep. The password is removed
   * in any case: a stranger may have chosen it.
   * @param kept ids of `accessGrantsBehind`
   * @returns how many of each kind have ended, and a link to choose a password; null if the link is used or expired
   */
  async function confirmElsewhere(token: string, kept: string[]): Promise<ConfirmedElsewhere | null> {
    return db.transaction().execute(async (trx) => {
      const used = await linkOf(trx, token, ["verify"]);
      if (!used) return null;
      const row = await trx.selectFrom("user").selectAll().where("id", "=", used.user_id).executeTakeFirstOrThrow();
      if (emailKey(used.email) !== row.email_key) return null;
      await trx.updateTable("user").set({ email_verified: 1, password: null }).where("id", "=", row.id).execute();
      const ended = await endAccessGrants(trx, row.id, kept);
      const count = (kind: AccessGrant["kind"]) => ended.filter((grant) => grant.kind === kind).length;
      const counts = { sessions: count("session"), tokens: count("token"), shares: count("share"), schedules: count("schedule") };
      const words = Object.fromEntries(Object.entries(counts).map(([kind, number]) => [kind, String(number)]));
      await post(trx, "confirmed_elsewhere", row.email, row.locale, { ...words, reset: waysIn.reset });
      return { ended: counts, link: await createLink(trx, row.id, "reset_password", row.email) };
    });
  }

  /** Mails the account owner about a sign-in from an unknown browser. */
  async function announceSignIn({ email, locale }: User, browser: string | null, at = Date.now()): Promise<void> {
    const time = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE }).format(at);
    const values = { time, browser: browser ?? "?", link: `${baseUrl}/account/sessions`, reset: waysIn.reset };
    await db.transaction().execute((trx) => post(trx, "signed_in", email, locale, values));
  }

  /**
   * Ends all sessions except `keepSession`, which the caller replaces.
   * @returns false if the current password is wrong; true for a double click, when the new password is already set
   */
  async function changePassword(user: User, current: string, next: string, keepSession: string): Promise<boolean> {
    const proof = await proofBy(user.id, current);
    if (!proof) return (await proofBy(user.id, next)) !== undefined;
    const password = await passwords.hash(next);
    return db.transaction().execute(async (trx) => {
      if (!(await isCurrent(trx, proof))) return false;
      await trx.updateTable("user").set({ password }).where("id", "=", user.id).execute();
      await endAccess(trx, user.id, keepSession);
      await post(trx, "password_changed", user.email, user.locale, {
        link: `${baseUrl}/forgot-password`,
      });
      return true;
    });
  }

  /**
   * Mails a link to the new address and a notice to the old one; nothing changes before the link is opened.
   * @param mayWriteTo rate limit, asked after the password check: protects mailboxes from mail flooding
   * @returns false when the password is wrong
   */
  async function requestEmail(
    user: User,
    email: string,
    password: string,
    mayWriteTo: (email: string) => Promise<boolean>,
  ): Promise<boolean> {
    const proof = await proofBy(user.id, password);
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

  /** Mails the old address about a change at the hosted provider, which has the new address confirmed itself. */
  async function announceEmail(user: User, email: string): Promise<void> {
    await db.transaction().execute((trx) => post(trx, "email_change_hosted", user.email, user.locale, { email, contact }));
  }

  /**
   * @param password null if the provider has authenticated the user
   * @param mayGo asked after the password check
   * @param isBarred asked in the transaction that deletes the account
   * @returns false if the password is wrong, `mayGo` refuses, or the deletion is barred
   */
  async function remove(user: User, password: string | null, mayGo = async () => true, isBarred: (trx: Trx) => Promise<boolean> = async () => false): Promise<boolean> {
    const proof = password === null ? null : await proofBy(user.id, password);
    if (proof === undefined || !(await mayGo())) return false;
    return db.transaction().execute(async (trx) => {
      if ((proof && !(await isCurrent(trx, proof))) || (await isBarred(trx))) return false;
      await removeUser(trx, user.id);
      await post(trx, "account_deleted", user.email, user.locale, { contact });
      return true;
    });
  }

  /** Has `confirmElsewhere` removed the password, without a new one chosen since? */
  async function hasNoPassword({ id }: User): Promise<boolean> {
    const { password } = await db.selectFrom("user").select("password").where("id", "=", id).executeTakeFirstOrThrow();
    return password === null;
  }

  async function checkPassword({ id }: User, password: string): Promise<boolean> {
    return (await proofBy(id, password)) !== undefined;
  }

  /** Proof of a correct password; undefined for a wrong one. */
  async function proofBy(userId: string, password: string): Promise<Proof | undefined> {
    const row = await db.selectFrom("user").select(["id", "password"]).where("id", "=", userId).executeTakeFirst();
    const matches = await passwords.matches(password, row?.password ?? null);
    return row && matches ? row : undefined;
  }

  async function post(trx: Trx, kind: LetterKind, to: string, locale: Locale, values: Record<string, string>) {
    await mails.post(trx, { to, ...write(kind, locale, values) });
  }

  async function link(trx: Trx, userId: string, purpose: Purpose, email: string): Promise<string> {
    return baseUrl + (await createLink(trx, userId, purpose, email));
  }
}

/** The user id, and the hash that the password was compared with. */
interface Proof {
  id: string;
  password: string | null;
}

/** Is this hash still stored? */
async function isCurrent(db: Db | Trx, { id, password }: Proof): Promise<boolean> {
  const row = await db.selectFrom("user").select("password").where("id", "=", id).executeTakeFirst();
  return row !== undefined && row.password === password;
}

/** Local accounts only. */
async function byEmail(db: Db | Trx, email: string) {
  return db
    .selectFrom("user")
    .selectAll()
    .where("email_key", "=", emailKey(email))
    .where("subject", "is", null)
    .executeTakeFirst();
}
