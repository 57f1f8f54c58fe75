import type { Selectable } from "kysely";
import type { Db, Trx, UserTable } from "db/schema";
import type { HostedProfile } from "~/identity/hosted";
import { emailKey } from "~/lib/email-address";
import type { Locale } from "~/lib/i18n";
import { randomId } from "~/lib/tokens.server";

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

    async setLocale(id: string, locale: Locale): Promise<void> {
      await db.updateTable("user").set({ locale }).where("id", "=", id).execute();
    },

    /** Everything that is stored about somebody, for them to take along. Times as ISO 8601. */
    async everythingOf(id: string) {
      const user = await db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      const sessions = await db.selectFrom("session").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
      const links = await db
        .selectFrom("account_link")
        .select(["email", "expires_at"])
        .where("user_id", "=", id)
        .where("purpose", "=", "change_email")
        .execute();
      const tokens = await db.selectFrom("api_token").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
      const purchases = await db.selectFrom("purchase").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
      const urls = await db
        .selectFrom("registered_url")
        .innerJoin("purchase", "purchase.id", "registered_url.purchase_id")
        .selectAll("registered_url")
        .where("purchase.user_id", "=", id)
        .orderBy("added_at")
        .execute();
      const runs = await db.selectFrom("run").selectAll().where("owner", "=", id).orderBy("created_at").execute();
      return {
        user: {
          id: user.id,
          subject: user.subject,
          email: user.email,
          emailVerified: user.email_verified === 1,
          name: user.name,
          locale: user.locale,
          createdAt: iso(user.created_at),
        },
        emailChangesUnderWay: links.map(({ email, expires_at }) => ({ email, expiresAt: iso(expires_at) })),
        sessions: sessions.map(({ browser, created_at, seen_at, expires_at }) => ({
          browser,
          createdAt: iso(created_at),
          seenAt: iso(seen_at),
          expiresAt: iso(expires_at),
        })),
        accessTokens: tokens.map(({ name, scopes, created_at, expires_at, last_used_at }) => ({
          name,
          scopes: JSON.parse(scopes) as string[],
          createdAt: iso(created_at),
          expiresAt: expires_at === null ? null : iso(expires_at),
          lastUsedAt: last_used_at === null ? null : iso(last_used_at),
        })),
        purchases: purchases.map(({ id: purchaseId, kind, status, plan_name, amount, currency, created_at }) => ({
          id: purchaseId,
          kind,
          status,
          plan: plan_name,
          amountInCents: amount,
          currency,
          createdAt: iso(created_at),
          urls: urls.filter(({ purchase_id }) => purchase_id === purchaseId).map(({ url }) => url),
        })),
        runs: runs.map((run) => ({
          id: run.id,
          url: run.url,
          scope: run.scope,
          standard: `WCAG ${run.standard_version} ${run.standard_level}`,
          status: run.status,
          reason: run.reason,
          createdAt: iso(run.created_at),
          finishedAt: run.finished_at === null ? null : iso(run.finished_at),
          stats: {
            pages: run.pages,
            failedPages: run.failed_pages,
            violations: run.violations,
            incomplete: run.incomplete,
            passes: run.passes,
            inapplicable: run.inapplicable,
            elements: run.elements,
          },
        })),
      };
    },
  };
}

const iso = (at: number) => new Date(at).toISOString();

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

export type UserRow = Omit<Selectable<UserTable>, "email_key" | "password" | "trial_scans">;

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
