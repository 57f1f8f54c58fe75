import type { Db } from "db/schema";
import type { Locale } from "~/lib/i18n";
import { CURRENCIES } from "~/lib/plans";

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** How somebody pays by the month, as far as another order depends on it. */
export function createSubscriptions({ db }: { db: Db }) {
  return { isSubscribed, awaitsPayment, currencyFor };

  /** Does somebody pay by the month, until further notice? */
  async function isSubscribed(userId: string): Promise<boolean> {
    const running = await db
      .selectFrom("purchase")
      .select("id")
      .where("user_id", "=", userId)
      .where("kind", "=", "subscription")
      .where("grants", "=", 1)
      .where("cancel_at_period_end", "=", 0)
      .executeTakeFirst();
    return running !== undefined;
  }

  /** Has somebody ordered a plan by the month by invoice, and not paid yet? */
  async function awaitsPayment(userId: string): Promise<boolean> {
    const waiting = await db
      .selectFrom("purchase")
      .select("id")
      .where("user_id", "=", userId)
      .where("kind", "=", "subscription")
      .where("by_invoice", "=", 1)
      .where("grants", "=", 0)
      .where("paused", "=", 0)
      .where("status", "=", "active")
      .executeTakeFirst();
    return waiting !== undefined;
  }

  /** In small letters. The provider bills all subscriptions of a customer in one currency. */
  async function currencyFor(userId: string, locale: Locale): Promise<string> {
    const row = await db
      .selectFrom("purchase")
      .select("currency")
      .where("user_id", "=", userId)
      .where("kind", "=", "subscription")
      .where("status", "not in", ["gone", "canceled", "incomplete_expired"])
      .executeTakeFirst();
    return row?.currency ?? CURRENCIES[locale].toLowerCase();
  }
}
