import type { Db, Trx } from "db/schema";
import { emailKey, parseEmailAddress } from "~/platform/forms/email-address";
import type { Locale } from "~/platform/i18n/i18n";
import { withReturnTo } from "~/platform/http/return-to";
import { TIME_ZONE } from "~/platform/i18n/time-zone";
import { randomId, readablePassword } from "~/platform/crypto/tokens.server";
import type { Passwords, Turn } from "./passwords/passwords";
import type { Letter, LetterKind } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import { createLink, deleteExpiredLinks, dropLinks, linkOf, type Purpose } from "./link.server";
import { endAccess, endOpenings, endSharesAndSchedules, endTokens, openingsOf, type Opening } from "./access.server";
import { removeUser, toUser, type User } from "./user.server";

export interface AccountsOptions {
  db: Db;
  passwords: Passwords;
  mails: Pick<Mails, "post">;
  /** Puts a mail into words. */
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
}

export interface ConfirmedElsewhere {
  ended: Record<"sessions" | "tokens" | "shares" | "schedules", number>;
  /** Path and query. */
  link: string;
}

export interface Registered {
  user: User;
  /** False for who had the account already. */
  isNew: boolean;
}

/** @returns the accounts, and `inTurn`: the same for somebody whose passwords are checked in their turn */
export function createAccounts(options: AccountsOptions) {
  return { ...accountsBy(options), inTurn: (turn: Turn) => accountsBy({ ...options, passwords: options.passwords.inTurn(turn) }) };
}

/**
 * Accounts that live in this installation, proved by a password. Whether an address is known, no answer to a form tells
 * who cannot read its mail: it is the same, and so is the work that it takes. Registering is the exception: it opens the new
 * account at once (a mail that never comes must not lock its owner out), so that it cannot hide whose address is known; the
 * owner of a known address gets a mail about that.
 */
function accountsBy({ db, passwords, mails, write, baseUrl }: AccountsOptions) {
  const waysIn = { link: `${baseUrl}/login`, reset: `${baseUrl}/forgot-password` };
  const contact = `${baseUrl}/contact`;

  return {
    register,
    signIn,
    forgot,
    resetPassword,
    ownerOfReset,
    sendVerification,
    verify,
    checkPassword,
    isWithoutPassword,
    openingsBehind,
    confirmElsewhere,
    announceSignIn,
    changePassword,
    requestEmail,
    announceEmail,
    remove,
    resetByOperator,
    deleteExpiredLinks: (now = Date.now()) => deleteExpiredLinks(db, now),
  };

  /**
   * Makes an account; account and mail are there together or not at all. With the address of an account, the password has to
   * be that account's, as when signing in; else its owner is told by mail.
   * @param mayWriteTo asked before a mail is written: a mailbox must not be filled in anybody's name
   * @returns null for an address that somebody has, with another password
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

  /** @returns null where another tab was quicker */
  async function create({ email, name, locale, ...person }: NewPerson, mayWriteTo: (email: string) => Promise<boolean>) {
    const password = await passwords.hash(person.password);
    const mayWrite = await mayWriteTo(email);
    return db.transaction().execute(async (trx) => {
      if (await byEmail(trx, email)) return null;
      const id = randomId();
      const row = await trx
        .insertInto("user")
        .values({ id, email, email_key: emailKey(email), name, password, locale, created_at: Date.now() })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (mayWrite) await post(trx, "verify", email, locale, { link: await link(trx, id, "verify", email) });
      return toUser(row);
    });
  }

  /** @returns undefined when address and password do not belong together */
  async function signIn(email: string, password: string): Promise<User | undefined> {
    const row = await byEmail(db, email);
    const matches = await passwords.matches(password, row?.password ?? null);
    // Many may wait to have their passwords checked, and meanwhile somebody may have changed this one.
    return row && matches && (await isCurrent(db, row)) ? toUser(row) : undefined;
  }

  /**
   * Sends a link to a known address, and to an unknown one that it is unknown.
   * @param returnTo a path of our own that the links lead on to
   */
  async function forgot(email: string, locale: Locale, returnTo?: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const row = await byEmail(trx, email);
      if (!row) return post(trx, "no_account", email, locale, { link: withReturnTo(`${baseUrl}/register`, returnTo) });
      const address = await link(trx, row.id, "reset_password", row.email);
      await post(trx, "reset_password", row.email, locale, { link: withReturnTo(address, returnTo) });
    });
  }

  /** Whose password a link is for; null when it is used up or too old. */
  async function ownerOfReset(token: string): Promise<User | null> {
    const found = await linkOf(db, token, ["reset_password"]);
    if (!found) return null;
    return toUser(await db.selectFrom("user").selectAll().where("id", "=", found.user_id).executeTakeFirstOrThrow());
  }

  /**
   * Sets the password that was chosen by a link. Who could open that has the address: nobody stays signed in, no token goes on,
   * and what somebody else may have made before the address was confirmed ends as well.
   * @returns null when the link is used up or too old
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
        // It has ended with `confirmElsewhere`, where they chose what goes on.
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
   * For the operator, on the server: sets a password that is made up here, signs the person out everywhere, and ends their
   * tokens.
   * @returns the password; null when nobody has the address
   */
  async function resetByOperator(typed: string): Promise<string | null> {
    const email = parseEmailAddress(typed) ?? typed;
    const newPassword = readablePassword();
    const password = await passwords.hash(newPassword);
    return db.transaction().execute(async (trx) => {
      const row = await byEmail(trx, email);
      if (!row) return null;
      await trx.updateTable("user").set({ password }).where("id", "=", row.id).execute();
      await endAccess(trx, row.id);
      await endTokens(trx, row.id);
      return newPassword;
    });
  }

  async function sendVerification({ id, email, locale }: User): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await post(trx, "verify", email, locale, { link: await link(trx, id, "verify", email) });
    });
  }

  /**
   * Uses up a link that proves an address, for its own account only.
   * @returns what it has brought about; null when it is used up, too old or somebody else's; "taken" when the new
   *   address belongs to another account by now
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
      // Links to the old address open nothing any more.
      await dropLinks(trx, userId);
      await post(trx, "email_changed", row.email, row.locale, { email: used.email, contact });
      return "changed";
    });
  }

  /**
   * What an account has that was not confirmed yet, for who can open the link to its address but has not signed in: somebody
   * else may have made it.
   * @returns null when the link is used up or too old
   */
  async function openingsBehind(token: string): Promise<{ userId: string; email: string; openings: Opening[] } | null> {
    const found = await linkOf(db, token, ["verify"]);
    if (!found) return null;
    const row = await db.selectFrom("user").select(["email", "email_key"]).where("id", "=", found.user_id).executeTakeFirstOrThrow();
    if (emailKey(found.email) !== row.email_key) return null;
    return { userId: found.user_id, email: row.email, openings: await openingsOf(db, found.user_id) };
  }

  /**
   * Confirms the address that a link was sent to, for who is not signed in to its account, and ends what they do not keep. The
   * password ends in any case: a stranger may have chosen it.
   * @param kept ids of `openingsBehind`
   * @returns how many of each kind have ended, and a link to choose a password; null when the link is used up or too old
   */
  async function confirmElsewhere(token: string, kept: string[]): Promise<ConfirmedElsewhere | null> {
    return db.transaction().execute(async (trx) => {
      const used = await linkOf(trx, token, ["verify"]);
      if (!used) return null;
      const row = await trx.selectFrom("user").selectAll().where("id", "=", used.user_id).executeTakeFirstOrThrow();
      if (emailKey(used.email) !== row.email_key) return null;
      await trx.updateTable("user").set({ email_verified: 1, password: null }).where("id", "=", row.id).execute();
      const ended = await endOpenings(trx, row.id, kept);
      const count = (kind: Opening["kind"]) => ended.filter((opening) => opening.kind === kind).length;
      const counts = { sessions: count("session"), tokens: count("token"), shares: count("share"), schedules: count("schedule") };
      const words = Object.fromEntries(Object.entries(counts).map(([kind, number]) => [kind, String(number)]));
      await post(trx, "confirmed_elsewhere", row.email, row.locale, { ...words, reset: waysIn.reset });
      return { ended: counts, link: await createLink(trx, row.id, "reset_password", row.email) };
    });
  }

  /** Somebody has signed in in a browser that their account did not know. */
  async function announceSignIn({ email, locale }: User, browser: string | null, at = Date.now()): Promise<void> {
    const time = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE }).format(at);
    const values = { time, browser: browser ?? "?", link: `${baseUrl}/account/sessions`, reset: waysIn.reset };
    await db.transaction().execute((trx) => post(trx, "signed_in", email, locale, values));
  }

  /**
   * Nobody stays signed in but in one session, which the caller replaces.
   * @returns false when the current password is wrong; a second click finds the new one in its place, which is fine
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
   * Sends a link to the new address and word to the old one; nothing changes before the link is opened.
   * @param mayWriteTo asked once the password has proved right: a mailbox must not be filled in anybody's name
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

  /** The hosted provider is about to change an address, and asks for its confirmation itself; the old one is told. */
  async function announceEmail(user: User, email: string): Promise<void> {
    await db.transaction().execute((trx) => post(trx, "email_change_hosted", user.email, user.locale, { email, contact }));
  }

  /**
   * @param password null where the provider has proved who it is
   * @param mayGo asked once the password has proved right
   * @returns false when the password is wrong, or the account may not go
   */
  async function remove(user: User, password: string | null, mayGo = async () => true): Promise<boolean> {
    const proof = password === null ? null : await proofBy(user.id, password);
    if (proof === undefined || !(await mayGo())) return false;
    return db.transaction().execute(async (trx) => {
      if (proof && !(await isCurrent(trx, proof))) return false;
      await removeUser(trx, user.id);
      await post(trx, "account_deleted", user.email, user.locale, { contact });
      return true;
    });
  }

  /** Has the password ended, with `confirmElsewhere`, and has no other one been chosen yet? */
  async function isWithoutPassword({ id }: User): Promise<boolean> {
    const { password } = await db.selectFrom("user").select("password").where("id", "=", id).executeTakeFirstOrThrow();
    return password === null;
  }

  async function checkPassword({ id }: User, password: string): Promise<boolean> {
    return (await proofBy(id, password)) !== undefined;
  }

  /** What a right password proves; undefined for a wrong one. */
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

/** Whose password it was, and the hash that it was compared with. */
interface Proof {
  id: string;
  password: string | null;
}

/** That is still the password. */
async function isCurrent(db: Db | Trx, { id, password }: Proof): Promise<boolean> {
  const row = await db.selectFrom("user").select("password").where("id", "=", id).executeTakeFirst();
  return row !== undefined && row.password === password;
}

/** Accounts of this installation alone. */
async function byEmail(db: Db | Trx, email: string) {
  return db
    .selectFrom("user")
    .selectAll()
    .where("email_key", "=", emailKey(email))
    .where("subject", "is", null)
    .executeTakeFirst();
}
