import type { Db } from "db/schema";
import type { Locale } from "~/platform/i18n/i18n";
import { currencyOf } from "./plans/plans";
import { entitlesNow } from "./purchase-row.server";

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** Facts about a user's subscriptions that other orders depend on. */
export function createSubscriptions({ db }: { db: Db }) {
  const subscriptionsOf = (userId: string) =>
    db.selectFrom("purchase").where("user_id", "=", userId).where("kind", "=", "subscription").where("granted", "=", 0);

  return { isSubscribed, awaitsPayment, currencyFor };

  /** Whether the user is a subscriber, until further notice. */
  async function isSubscribed(userId: string): Promise<boolean> {
    const running = await subscriptionsOf(userId)
      .select("id")
      .where(entitlesNow(Date.now()))
      .where("cancel_at_period_end", "=", 0)
      .executeTakeFirst();
    return running !== undefined;
  }

  /** Whether the user has ordered a monthly plan by invoice, and not paid yet. */
  async function awaitsPayment(userId: string): Promise<boolean> {
    const waiting = await subscriptionsOf(userId)
      .select("id")
      .where("by_invoice", "=", 1)
      .where("grants", "=", 0)
      .where("paused", "=", 0)
      .where("status", "=", "active")
      .executeTakeFirst();
    return waiting !== undefined;
  }

  /** Currency in lower case. The provider bills all subscriptions of a customer in one currency. */
  async function currencyFor(userId: string, locale: Locale): Promise<string> {
    const row = await subscriptionsOf(userId)
      .select("currency")
      .where("status", "not in", ["gone", "canceled", "incomplete_expired"])
      .executeTakeFirst();
    return row?.currency ?? currencyOf(locale).toLowerCase();
  }
}
