import type { Db } from "db/schema";
import type { BillingEvent, BillingProvider, Checkout, PlanKey, PlanPrice, Rhythm } from "~/billing/provider";
import { ProviderUnavailable, SeveralCustomers } from "~/lib/billing-errors";
import type { Locale } from "~/lib/i18n";
import { createTurns } from "~/lib/one-at-a-time";
import type { PurchaseModel } from "./purchase.server";
import type { User } from "./user.server";

const HOUR_MS = 3_600_000;
/** For so long there may still come room for the URL of an order. */
const UNFULFILLED_MS = 24 * HOUR_MS;
const EVENTS_KEPT_MS = 365 * 24 * HOUR_MS;
/** Euro on German pages, dollars on English ones. */
const CURRENCY: Record<Locale, string> = { de: "eur", en: "usd" };

export interface BillingOptions {
  db: Db;
  provider: BillingProvider;
  purchases: PurchaseModel;
  /** Public origin, for the ways back. */
  baseUrl: string;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export interface PlanOrder {
  /** Made with the form: sent twice, it is one order. */
  id: string;
  plan: PlanKey;
  rhythm: Rhythm;
  url: string | null;
}

/** What has become of a checkout: `pending` until the provider has the money. */
export type CheckoutOutcome = "paid" | "pending" | "open" | "failed";

export type Billing = ReturnType<typeof createBilling>;

/**
 * Keeps what is known here equal to what the provider knows. Whatever happens there, the answer is the same: all purchases
 * of that customer are asked for again. So events may come twice, in any order, or not at all.
 */
export function createBilling({ db, provider, purchases, baseUrl, log = () => {} }: BillingOptions) {
  const inTurn = createTurns();

  return { prices, startCheckout, outcomeOf, readEvent: provider.readEvent, reconcile, reconcileStale, handleEvent, openPortal, writeUrls, deleteExpired };

  function prices(): Promise<PlanPrice[]> {
    return provider.prices();
  }

  /**
   * Leads to the provider's checkout; the same order leads to the same one.
   * @returns its address; null when the plan is not for sale
   * @throws {SeveralCustomers} {ProviderUnavailable}
   */
  async function startCheckout(user: User, { id, plan, rhythm, url }: PlanOrder, locale: Locale): Promise<string | null> {
    const price = (await provider.prices()).find((each) => each.plan === plan && each.rhythm === rhythm);
    if (!price) return null;
    const customer = await customerOf(user);
    await db
      .insertInto("checkout_order")
      .values({ id, user_id: user.id, price_id: price.id, url, created_at: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const back = new URLSearchParams({ plan, rhythm, ...(url ? { url } : {}) });
    const checkout = await provider.startCheckout({
      id,
      customer,
      price,
      currency: (await currencyOf(user.id)) ?? CURRENCY[locale],
      locale,
      url,
      successUrl: `${baseUrl}/setup/done?order=${encodeURIComponent(id)}`,
      cancelUrl: `${baseUrl}/setup?${back}`,
    });
    await db
      .updateTable("checkout_order")
      .set({ checkout_id: checkout.id })
      .where("id", "=", id)
      .where("user_id", "=", user.id)
      .execute();
    return checkout.url;
  }

  /** Asks the provider how an order stands; undefined when it is nobody's, or somebody else's. */
  async function outcomeOf(user: User, orderId: string): Promise<CheckoutOutcome | undefined> {
    const order = await db
      .selectFrom("checkout_order")
      .select("checkout_id")
      .where("id", "=", orderId)
      .where("user_id", "=", user.id)
      .executeTakeFirst();
    if (!order?.checkout_id) return undefined;
    const checkout = await provider.checkout(order.checkout_id);
    if (checkout.status === "complete") await reconcile(user.id);
    return outcome(checkout);
  }

  /** The provider bills all subscriptions of a customer in one currency. */
  async function currencyOf(userId: string): Promise<string | undefined> {
    const row = await db
      .selectFrom("purchase")
      .select("currency")
      .where("user_id", "=", userId)
      .where("kind", "=", "subscription")
      .where("status", "not in", ["gone", "canceled", "incomplete_expired"])
      .executeTakeFirst();
    return row?.currency;
  }

  /** Our own row first: at the provider, who was created a moment ago may not be found yet. */
  async function customerOf(user: User): Promise<string> {
    const known = await customerRow(user.id);
    if (known?.customer_id) return known.customer_id;
    try {
      const key = user.subject ?? user.id;
      const customer = await provider.customerOf({ id: user.id, key, email: user.email });
      await keepCustomer(user.id, { customer_id: customer, several: 0 });
      return customer;
    } catch (error) {
      if (error instanceof SeveralCustomers) {
        log("billing.several_customers", { message: error.message });
        await keepCustomer(user.id, { several: error.count });
      }
      throw error;
    }
  }

  function customerRow(userId: string) {
    return db.selectFrom("customer").selectAll().where("user_id", "=", userId).executeTakeFirst();
  }

  async function keepCustomer(userId: string, values: { customer_id?: string; several: number }): Promise<void> {
    await db
      .insertInto("customer")
      .values({ user_id: userId, customer_id: null, ...values })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
      .execute();
  }

  /**
   * Takes over what the provider says somebody has bought, and registers what it was bought for. One at a time, so that
   * an answer from before a change is not stored after the one from afterwards.
   */
  function reconcile(userId: string): Promise<void> {
    return inTurn(userId, () => reconcileNow(userId));
  }

  async function reconcileNow(userId: string): Promise<void> {
    const row = await customerRow(userId);
    if (!row?.customer_id) return;
    const began = Date.now();
    await purchases.store(userId, await provider.purchasesOf(row.customer_id));
    await db.updateTable("customer").set({ reconciled_at: began }).where("user_id", "=", userId).execute();
    await fulfil(userId);
  }

  /** Registers the URLs that paid orders were made for. */
  async function fulfil(userId: string): Promise<void> {
    const orders = await db
      .selectFrom("checkout_order")
      .select(["id", "url", "checkout_id", "created_at"])
      .where("user_id", "=", userId)
      .where("fulfilled_at", "is", null)
      .where("checkout_id", "is not", null)
      .execute();
    for (const { id, url, checkout_id, created_at } of orders) {
      const checkout = await provider.checkout(checkout_id ?? "");
      if (checkout.status === "open" || (checkout.status === "complete" && !checkout.paid)) continue;
      // The checkout may be over before what it has brought counts; another event follows then.
      const isFull = checkout.paid && url !== null && (await purchases.register(userId, url)) === "full";
      if (isFull && created_at > Date.now() - UNFULFILLED_MS) continue;
      await db.updateTable("checkout_order").set({ fulfilled_at: Date.now() }).where("id", "=", id).execute();
    }
  }

  /** Compares everybody whose purchases have not been looked at for an hour. */
  async function reconcileStale(now = Date.now()): Promise<void> {
    const stale = await db
      .selectFrom("customer")
      .select("user_id")
      .where("customer_id", "is not", null)
      .where((eb) => eb.or([eb("reconciled_at", "is", null), eb("reconciled_at", "<", now - HOUR_MS)]))
      .execute();
    for (const { user_id } of stale) await reconcile(user_id);
  }

  /**
   * Does what an event asks for, once. It is stored first, and counts as handled only when that has been done.
   * @throws what kept it from being handled: the provider sends it again
   */
  async function handleEvent({ id, type, customer, payment, createdAt }: BillingEvent): Promise<void> {
    const known = await db
      .insertInto("billing_event")
      .values({ id, type, customer_id: customer, created_at: createdAt, received_at: Date.now(), attempts: 1 })
      .onConflict((conflict) => conflict.column("id").doUpdateSet((eb) => ({ attempts: eb("billing_event.attempts", "+", 1) })))
      .returning("handled_at")
      .executeTakeFirstOrThrow();
    if (known.handled_at !== null) return;
    const owner = await ownerOf(customer, payment);
    try {
      if (owner) await reconcile(owner);
      await conclude(id, owner ? "reconciled" : "about nobody we know", Date.now());
    } catch (error) {
      await conclude(id, error instanceof Error ? error.message.slice(0, 500) : "failed", null);
      throw error;
    }
  }

  async function ownerOf(customer: string | null, payment: string | null): Promise<string | undefined> {
    const known = await db
      .selectFrom("customer")
      .select("user_id")
      .where("customer_id", "=", customer ?? "")
      .executeTakeFirst();
    if (known) return known.user_id;
    const bought = await db.selectFrom("purchase").select("user_id").where("id", "=", payment ?? "").executeTakeFirst();
    return bought?.user_id;
  }

  async function conclude(id: string, outcome: string, handledAt: number | null): Promise<void> {
    await db.updateTable("billing_event").set({ outcome, handled_at: handledAt }).where("id", "=", id).execute();
  }

  /** @returns null for who has never bought anything */
  async function openPortal(user: User, locale: Locale): Promise<string | null> {
    const row = await customerRow(user.id);
    return row?.customer_id ? provider.openPortal(row.customer_id, `${baseUrl}/profile/general`, locale) : null;
  }

  /** Tells the provider which URLs are registered; what fails is tried again the next time. */
  async function writeUrls(): Promise<void> {
    for (const { id, kind, version, urls } of await purchases.unwritten()) {
      try {
        await provider.writeUrls(kind, id, urls);
        await purchases.written(id, version);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        log("billing.urls_not_written", { err: error });
      }
    }
  }

  async function deleteExpired(now = Date.now()): Promise<void> {
    await db.deleteFrom("billing_event").where("received_at", "<", now - EVENTS_KEPT_MS).execute();
  }
}

function outcome({ status, paid }: Checkout): CheckoutOutcome {
  if (status === "complete") return paid ? "paid" : "pending";
  return status === "open" ? "open" : "failed";
}
