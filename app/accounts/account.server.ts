import type { Db, Trx } from "db/schema";
import { emailKey } from "~/platform/forms/email-address";
import type { Locale } from "~/platform/i18n/i18n";
import { TIME_ZONE } from "~/platform/i18n/time-zone";
import { randomId } from "~/platform/crypto/tokens.server";
import { deleteExpiredLinks } from "./link.server";
import { createAccountAddresses } from "./local/account-addresses.server";
import { createAccountMails, type AccountMailsOptions } from "./local/account-mails.server";
import { createAccountPasswords } from "./local/account-passwords.server";
import { byEmail, isCurrent, proofBy } from "./local/password-proof.server";
import type { Passwords, QueueEntry } from "./passwords/passwords";
import { admits, AdmissionUsed, type Admission } from "./registration.server";
import { removeUser, toUser, type User } from "./user.server";

export interface AccountsOptions extends AccountMailsOptions {
  db: Db;
  passwords: Passwords;
  runs: {
    /** Cancels all unfinished runs of a user. */
    cancelAllOf(trx: Trx, owner: string): Promise<unknown>;
  };
}

export type Accounts = ReturnType<typeof accountsBy>;
export type AllAccounts = ReturnType<typeof createAccounts>;

interface NewPerson {
  email: string;
  name: string;
  password: string;
  locale: Locale;
  /** Admission by the link that the user opened. */
  admission?: Admission | null;
}

interface Registered {
  user: User;
  /** False if the account existed before. */
  isNew: boolean;
}

/** @returns the accounts, and `queuedAs`: the same accounts with password checks queued under a given entry */
export function createAccounts(options: AccountsOptions) {
  return { ...accountsBy(options), queuedAs: (entry: QueueEntry) => accountsBy({ ...options, passwords: options.passwords.queuedAs(entry) }) };
}

/**
 * Local accounts, authenticated by password. No account enumeration: form answers, and the work for them, are the same for known
 * and unknown addresses; only mails tell the difference. Exception: registration opens the new account at once (a lost mail must
 * not lock its owner out), so it cannot hide which addresses are known; the owner of a known address gets a mail about that.
 */
function accountsBy({ db, passwords, runs, ...options }: AccountsOptions) {
  const mails = createAccountMails(options);
  const { post, link, waysIn, contact, baseUrl } = mails;

  return {
    ...{ register, signIn, announceSignIn, remove, removeByOperator },
    ...createAccountPasswords({ db, passwords, mails }),
    ...createAccountAddresses({ db, passwords, mails }),
    deleteExpiredLinks: (now = Date.now()) => deleteExpiredLinks(db, now),
  };

  /**
   * Creates an account; account and mail in one transaction. For a known address the password must be the one of that account, as
   * for signing in; otherwise the account owner gets a mail.
   * @param mayWriteTo rate limit, checked before a mail is written: protects mailboxes from mail flooding
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

  /** @returns null if a concurrent request was faster */
  async function create({ email, name, locale, admission = null, ...person }: NewPerson, mayWriteTo: (email: string) => Promise<boolean>) {
    const password = await passwords.hash(person.password);
    // A mailed link confirms its address.
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

  /** @returns undefined if address and password do not match */
  async function signIn(email: string, password: string): Promise<User | undefined> {
    const row = await byEmail(db, email);
    const matches = await passwords.matches(password, row?.password ?? null);
    // Second read: the check may have waited in the password queue, and the password may have changed.
    return row && matches && (await isCurrent(db, row)) ? toUser(row) : undefined;
  }

  /** Deletes an account for an administrator. The caller has asked `billing` before. */
  async function removeByOperator(trx: Trx, { id, email, locale }: User): Promise<void> {
    await runs.cancelAllOf(trx, id);
    await removeUser(trx, id);
    await post(trx, "account_deleted_by_operator", email, locale, { contact });
  }

  /** Mails the account owner about a sign-in from an unknown browser. */
  async function announceSignIn({ email, locale }: User, browser: string | null, at = Date.now()): Promise<void> {
    const time = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE }).format(at);
    const values = { time, browser: browser ?? "?", link: `${baseUrl}/account/sessions`, reset: waysIn.reset };
    await db.transaction().execute((trx) => post(trx, "signed_in", email, locale, values));
  }

  /**
   * @param password null after authentication by the provider
   * @param mayGo condition, checked after the password
   * @param isBarred condition, checked in the transaction that deletes the account
   * @returns false if the password is wrong, `mayGo` refuses, or the deletion is barred
   */
  async function remove(user: User, password: string | null, mayGo = async () => true, isBarred: (trx: Trx) => Promise<boolean> = async () => false): Promise<boolean> {
    const proof = password === null ? null : await proofBy({ db, passwords }, user.id, password);
    if (proof === undefined || !(await mayGo())) return false;
    return db.transaction().execute(async (trx) => {
      if ((proof && !(await isCurrent(trx, proof))) || (await isBarred(trx))) return false;
      await runs.cancelAllOf(trx, user.id);
      await removeUser(trx, user.id);
      await post(trx, "account_deleted", user.email, user.locale, { contact });
      return true;
    });
  }
}
