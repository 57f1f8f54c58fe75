import type { ExpressionBuilder, Selectable } from "kysely";
import { containsText } from "db/contains-text";
import type { Database, Db } from "db/schema";
import type { UserTable } from "db/tables/accounts";
import { toUser, type User } from "~/accounts/user.server";
import type { SignInMode } from "./administrators.server";

export interface PersonRow extends User {
  /** Last visit, Unix time in ms, up to an hour old; null if never, or long ago. */
  seenAt: number | null;
}

export interface PersonFacts extends PersonRow {
  /** Number of scans, including those in their grace period before deletion. */
  runs: number;
  /** Number of sessions that have not expired. */
  sessions: number;
  /** Number of access tokens that have not expired. */
  tokens: number;
  /** Whether the payment provider has a customer record of the person. */
  isCustomer: boolean;
  /** Limits of the account; null: those of the installation. */
  mostWaiting: number | null;
  mostPages: number | null;
}

interface PeopleQuery {
  /** Part of an address or a name; empty for all. */
  text: string;
  offset: number;
  limit: number;
}

export type People = ReturnType<typeof createPeople>;

/** The accounts of this installation, for administrators. */
export function createPeople({ db, hosted }: SignInMode & { db: Db }) {
  return { list, find, byEmail };

  /** Accounts, the latest first. */
  async function list({ text, offset, limit }: PeopleQuery): Promise<{ people: PersonRow[]; total: number }> {
    const found = db.selectFrom("user").where(containsText(["email", "name"], text));
    const { total } = await found.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const rows = await found.selectAll().select(seenTimes).orderBy("created_at", "desc").orderBy("id").offset(offset).limit(limit).execute();
    return { people: rows.map(toPerson), total };
  }

  async function find(id: string, now = Date.now()): Promise<PersonFacts | undefined> {
    const row = await db
      .selectFrom("user")
      .selectAll()
      .select(seenTimes)
      .select((eb) => [
        eb.selectFrom("run").select(({ fn }) => fn.countAll<number>().as("count")).whereRef("run.owner", "=", "user.id").where("deleted_at", "is", null).as("runs"),
        eb.selectFrom("session").select(({ fn }) => fn.countAll<number>().as("count")).whereRef("user_id", "=", "user.id").where("expires_at", ">", now).as("sessions"),
        eb
          .selectFrom("api_token")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .whereRef("user_id", "=", "user.id")
          .where((token) => token.or([token("expires_at", "is", null), token("expires_at", ">", now)]))
          .as("tokens"),
        eb.selectFrom("customer").select("customer_id").whereRef("customer.user_id", "=", "user.id").as("customer"),
      ])
      .where("id", "=", id)
      .executeTakeFirst();
    return row && { ...toPerson(row), runs: Number(row.runs), sessions: Number(row.sessions), tokens: Number(row.tokens), isCustomer: row.customer !== null, mostWaiting: row.most_waiting, mostPages: row.most_pages };
  }

  /** The accounts with an address to which people can sign in, else all: with a hosted provider there may be several. */
  async function byEmail(emailKey: string): Promise<User[]> {
    const all = (await db.selectFrom("user").selectAll().where("email_key", "=", emailKey).orderBy("created_at").execute()).map(toUser);
    const usable = all.filter(({ subject }) => (subject !== null) === hosted);
    return usable.length > 0 ? usable : all;
  }
}

/** Times of last use: sessions, known browsers (they stay after signing out) and access tokens. */
const seenTimes = (eb: ExpressionBuilder<Database, "user">) => [
  eb.selectFrom("session").select(({ fn }) => fn.max("seen_at").as("at")).whereRef("user_id", "=", "user.id").as("session_seen_at"),
  eb.selectFrom("known_browser").select(({ fn }) => fn.max("seen_at").as("at")).whereRef("user_id", "=", "user.id").as("browser_seen_at"),
  eb.selectFrom("api_token").select(({ fn }) => fn.max("last_used_at").as("at")).whereRef("user_id", "=", "user.id").as("token_seen_at"),
] as const;

type Seen = Record<"session_seen_at" | "browser_seen_at" | "token_seen_at", number | null>;

function toPerson(row: Selectable<UserTable> & Seen): PersonRow {
  const latest = Math.max(row.session_seen_at ?? 0, row.browser_seen_at ?? 0, row.token_seen_at ?? 0);
  return { ...toUser(row), seenAt: latest || null };
}
