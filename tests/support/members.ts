import path from "node:path";
import type { Db } from "db/schema";
import { openSqlite } from "db/sqlite.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { ProviderSubscription } from "~/billing/provider";
import { createPurchases } from "~/billing/purchase.server";
import { join, somebody } from "./accounts";
import { subscription } from "./bought";
import { openFormBrowser, type FormBrowser } from "./form-browser";
import type { TestServer } from "./server";

/** A signed-in user with an account. */
export interface Member extends FormBrowser {
  id: string;
  /** Such as `session=…`, for another browser. */
  cookie: string;
}

/** A second connection to the database of a running server. */
export function databaseOf({ dataDir }: Pick<TestServer, "dataDir">): Db {
  return openSqlite(path.join(dataDir, "rampe.db"));
}

/** A new user on a server. @param language of the user */
export async function newMember({ origin }: Pick<TestServer, "origin">, db: Db, language: Locale = "de"): Promise<Member> {
  const person = somebody();
  const headers = { "Accept-Language": language };
  const cookie = await join(origin, person, headers);
  const browser = openFormBrowser(origin, headers);
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  browser.cookies.set(name, value);
  const { id } = await db.selectFrom("user").select("id").where("email", "=", person.email).executeTakeFirstOrThrow();
  return { ...browser, id, cookie };
}

/** Stores a subscription of a user; by default Pro, for five websites. */
export async function subscribe(db: Db, { id }: Pick<Member, "id">, more: Partial<ProviderSubscription> = {}): Promise<void> {
  await createPurchases({ db }).store(id, { subscriptions: [subscription({ id: `sub_${id}`, ...more })], payments: [] });
}
