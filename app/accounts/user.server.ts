import type { Selectable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { UserTable } from "db/tables/accounts";
import type { HostedProfile } from "./hosted/hosted";
import { emailKey } from "~/platform/forms/email-address";
import type { Locale } from "~/platform/i18n/i18n";
import { randomId } from "~/platform/crypto/tokens.server";
import { personalDataOf } from "./personal-data.server";
import { AdmissionUsed, type Admission } from "./registration.server";
import { DAY_MS } from "~/platform/durations";

/** Owner of an account. */
export interface User {
  id: string;
  /** Id at the hosted identity provider; null for a local account. */
  subject: string | null;
  email: string;
  emailVerified: boolean;
  name: string;
  locale: Locale;
  /** Unix time in ms. */
  createdAt: number;
  /** True if the user may administer this installation. */
  isAdministrator: boolean;
  /** True if the user cannot sign in. */
  isDisabled: boolean;
}

/** Time for an unused account to confirm its address. */
const UNCLAIMED_KEPT_MS = 30 * DAY_MS;

export type Users = ReturnType<typeof createUsers>;

/** Users with local or hosted accounts. Operations that need a password or a mail are in `account.server.ts`. */
export function createUsers({ db }: { db: Db }) {
  return {
    async find(id: string): Promise<User | undefined> {
      const row = await db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toUser(row);
    },

    /**
     * Stores the profile of a user who signed in at the provider: creates or updates the account.
     * @param admission used for a new account
     * @throws {AdmissionUsed}
     */
    async recognise(profile: HostedProfile, locale: Locale, admission: Admission | null = null): Promise<User> {
      const { subject } = profile;
      const facts = factsOf(profile);
      const id = randomId();
      const row = await db.transaction().execute(async (trx) => {
        const stored = await trx
          .insertInto("user")
          .values({ id, subject, ...facts, password: null, locale, created_at: Date.now() })
          .onConflict((conflict) => conflict.column("subject").doUpdateSet(facts))
          .returningAll()
          .executeTakeFirstOrThrow();
        if (stored.id === id && admission && !(await admission.redeem(trx, id))) throw new AdmissionUsed();
        return stored;
      });
      return toUser(row);
    },

    /** Updates the profile of a user after a renewed sign-in; null if the account has been deleted. */
    async renew(profile: HostedProfile): Promise<User | null> {
      const row = await db.updateTable("user").set(factsOf(profile)).where("subject", "=", profile.subject).returningAll().executeTakeFirst();
      return row ? toUser(row) : null;
    },

    /** True if a user of the hosted provider has signed in here before. */
    async isKnown(subject: string): Promise<boolean> {
      return (await db.selectFrom("user").select("id").where("subject", "=", subject).executeTakeFirst()) !== undefined;
    },

    async rename(id: string, name: string): Promise<void> {
      await db.updateTable("user").set({ name }).where("id", "=", id).execute();
    },

    /** Stores a new address that the hosted provider has accepted, and for which it sends the confirmation mail. */
    async setEmail(id: string, email: string): Promise<void> {
      await db
        .updateTable("user")
        .set({ email, email_key: emailKey(email), email_verified: 0 })
        .where("id", "=", id)
        .execute();
    },

    /** Records a user's first sign-in. @returns true if it was the first */
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

    /**
     * Deletes unused local accounts that never confirmed their address and hold no data: the address may belong to a stranger.
     * A session does not prove the mailbox: registration signs in at once. A recent order may still be paid.
     */
    async deleteUnclaimed(now = Date.now()): Promise<void> {
      const since = now - UNCLAIMED_KEPT_MS;
      await db
        .deleteFrom("user")
        .where("subject", "is", null)
        .where("email_verified", "=", 0)
        .where("administrator", "=", 0)
        .where("created_at", "<=", since)
        .where("id", "not in", (eb) => eb.selectFrom("run").select("owner").where("owner", "is not", null).$castTo<{ owner: string }>())
        .where("id", "not in", (eb) => eb.selectFrom("session").select("user_id").where("user_id", "is not", null).$castTo<{ user_id: string }>())
        .where("id", "not in", (eb) => eb.selectFrom("api_token").select("user_id"))
        .where("id", "not in", (eb) => eb.selectFrom("schedule").select("owner"))
        .where("id", "not in", (eb) => eb.selectFrom("review").select("owner"))
        .where("id", "not in", (eb) => eb.selectFrom("criterion_review").select("owner"))
        .where("id", "not in", (eb) => eb.selectFrom("acceptance").select("owner"))
        .where("id", "not in", (eb) => eb.selectFrom("finding_note").select("owner"))
        .where("id", "not in", (eb) => eb.selectFrom("purchase").select("user_id"))
        .where("id", "not in", (eb) => eb.selectFrom("checkout_order").select("user_id").where("created_at", ">", since))
        .execute();
    },

    /** Export of personal data. */
    personalDataOf: (id: string) => personalDataOf(db, id),
  };
}

/** Owner of the runs of a deleted account; not an id of a user. */
const GONE = "deleted";

/**
 * Deletes an account and all of its own data. Its runs may be large: they lose their owner now, and the next clean-up of
 * expired runs deletes them. The caller has already canceled unfinished runs.
 */
export async function removeUser(trx: Trx, id: string): Promise<void> {
  await trx.updateTable("run").set({ owner: GONE, expires_at: 0 }).where("owner", "=", id).execute();
  await trx.deleteFrom("user").where("id", "=", id).execute();
}

export type UserRow = Omit<Selectable<UserTable>, "email_key" | "password" | "signed_in_at" | "trial_scans" | "mails_when_done" | "most_waiting" | "most_pages">;

function factsOf({ email, emailVerified, name }: HostedProfile) {
  return { email, email_key: emailKey(email), email_verified: emailVerified ? (1 as const) : (0 as const), name };
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    subject: row.subject,
    email: row.email,
    emailVerified: row.email_verified === 1,
    name: row.name,
    locale: row.locale,
    createdAt: row.created_at,
    isAdministrator: row.administrator === 1,
    isDisabled: row.disabled_at !== null,
  };
}
