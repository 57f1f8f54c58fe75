import type { Selectable } from "kysely";
import type { Db, Trx, UserTable } from "db/schema";
import type { HostedProfile } from "./hosted/hosted";
import { emailKey } from "~/platform/forms/email-address";
import type { Locale } from "~/platform/i18n/i18n";
import { randomId } from "~/platform/crypto/tokens.server";
import { everythingOf } from "./personal-data.server";

/** Somebody with an account. */
export interface User {
  id: string;
  /** What the hosted identity provider calls them; null for an account of this installation. */
  subject: string | null;
  email: string;
  emailVerified: boolean;
  name: string;
  locale: Locale;
  /** Unix time in ms. */
  createdAt: number;
}

/** An account whose address was not confirmed, and into which nobody has ever signed in. */
const UNCLAIMED_KEPT_MS = 30 * 86_400_000;

export type Users = ReturnType<typeof createUsers>;

/** The people, wherever they have their accounts. What takes a password or a mail is in `account.server.ts`. */
export function createUsers({ db }: { db: Db }) {
  return {
    async find(id: string): Promise<User | undefined> {
      const row = await db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toUser(row);
    },

    /** Somebody has come from the provider: takes over what that says, and knows them from then on. */
    async recognise({ subject, email, emailVerified, name }: HostedProfile, locale: Locale): Promise<User> {
      const facts = {
        email,
        email_key: emailKey(email),
        email_verified: emailVerified ? (1 as const) : (0 as const),
        name,
      };
      const row = await db
        .insertInto("user")
        .values({ id: randomId(), subject, ...facts, password: null, locale, created_at: Date.now() })
        .onConflict((conflict) => conflict.column("subject").doUpdateSet(facts))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toUser(row);
    },

    async rename(id: string, name: string): Promise<void> {
      await db.updateTable("user").set({ name }).where("id", "=", id).execute();
    },

    /** The hosted provider has taken over a new address, and has it confirmed. */
    async setEmail(id: string, email: string): Promise<void> {
      await db
        .updateTable("user")
        .set({ email, email_key: emailKey(email), email_verified: 0 })
        .where("id", "=", id)
        .execute();
    },

    /** Somebody has signed in. @returns whether it was the first time, which is what counts */
    async noteSignIn(id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("user")
        .set({ signed_in_at: Date.now() })
        .where("id", "=", id)
        .where("signed_in_at", "is", null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async setLocale(id: string, locale: Locale): Promise<void> {
      await db.updateTable("user").set({ locale }).where("id", "=", id).execute();
    },

    /** Accounts of this installation that nobody has come for: the address may not even have been theirs. */
    async deleteUnclaimed(now = Date.now()): Promise<void> {
      await db
        .deleteFrom("user")
        .where("subject", "is", null)
        .where("email_verified", "=", 0)
        .where("signed_in_at", "is", null)
        .where("created_at", "<=", now - UNCLAIMED_KEPT_MS)
        .where("id", "not in", (eb) => eb.selectFrom("run").select("owner").where("owner", "is not", null).$castTo<{ owner: string }>())
        .where("id", "not in", (eb) => eb.selectFrom("purchase").select("user_id"))
        .execute();
    },

    /** For them to take along. */
    everythingOf: (id: string) => everythingOf(db, id),
  };
}

/** Nobody's id. */
const GONE = "deleted";

/**
 * Takes a person's account and everything that is only theirs away. Their runs may be large: from now on they are
 * nobody's, and are deleted with the next ones that have expired.
 */
export async function removeUser(trx: Trx, id: string): Promise<void> {
  await trx.updateTable("run").set({ owner: GONE, expires_at: 0 }).where("owner", "=", id).execute();
  await trx.deleteFrom("user").where("id", "=", id).execute();
}

export type UserRow = Omit<Selectable<UserTable>, "email_key" | "password" | "signed_in_at" | "trial_scans">;

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    subject: row.subject,
    email: row.email,
    emailVerified: row.email_verified === 1,
    name: row.name,
    locale: row.locale,
    createdAt: row.created_at,
  };
}
