import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "db/schema";
import type { BillingEvent, BillingProvider, Purchases } from "./provider";
import { isCustomerUnknown, ProviderUnavailable, UnknownToProvider } from "./billing-errors";
import type { Locale } from "~/platform/i18n/i18n";
import { createCoalescingRunner } from "~/platform/async/mutex";
import { createPriceList } from "./plans/price-list";
import type { Letter, LetterKind } from "~/mail/mail";
import { createCheckouts } from "./checkout.server";
import type { Fulfilments } from "./fulfilment";
import { createCustomers } from "./customer.server";
import { createInvoices } from "./invoice.server";
import type { Mails } from "~/mail/outbox.server";
import type { PurchaseModel } from "./purchase.server";
import { createSubscriptions } from "./subscription.server";
import type { User } from "~/accounts/user.server";
import { createTimeEnds } from "./time-end.server";
import { createCancellations, type DeletionBlocker } from "./cancellation.server";

const HOUR_MS = 3_600_000;
const EVENTS_KEPT_MS = 365 * 24 * HOUR_MS;
/** Signing in does not wait longer for the provider; what it says later counts all the same. */
const PATIENCE_MS = 2_000;

export interface BillingOptions {
  db: Db;
  provider: BillingProvider;
  purchases: PurchaseModel;
  fulfilments: Fulfilments;
  mails: Pick<Mails, "post">;
  /** Puts a mail into words. */
  write: (kind: LetterKind, locale: Locale, values: Record<string, string>) => Letter;
  /** Public origin, for the ways back. */
  baseUrl: string;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export type Billing = ReturnType<typeof createBilling>;

/**
 * Keeps what is known here equal to what the provider knows. Whatever happens there, the answer is the same: all purchases
 * of that customer are asked for again. So events may come twice, in any order, or not at all.
 */
export function createBilling({ db, provider, purchases, fulfilments, mails, write, baseUrl, log = () => {} }: BillingOptions) {
  const inTurn = createCoalescingRunner();
  const priceList = createPriceList({ read: () => provider.prices() });
  const invoices = createInvoices({ db, mails, write, baseUrl });
  const subscriptions = createSubscriptions({ db });
  const customers = createCustomers({ db, provider, log });
  const { withCustomer, customerOf, findCustomer, isAmbiguous, customerRow, keepCustomer } = customers;
  const timeEnds = createTimeEnds({ db, mails, write, baseUrl });
  const { currencyFor, isSubscribed } = subscriptions;
  const shared = { db, provider, fulfilments, subscriptions, mails, write, baseUrl, log };
  const checkouts = createCheckouts({ ...shared, prices: priceList.current, shownPrices: priceList.shown, withCustomer, reconcile });
  const withdrawals = createCancellations({ db, provider, purchases, mails, write, baseUrl, log });
  const { quote, startCheckout, mailLink, sendInvoice, outcomeOf } = checkouts;

  return {
    prices: priceList.current,
    /** The last known; null where nobody knows them. Never waits for long. */
    shownPrices: priceList.shown,
    quote,
    /** What somebody is charged in, in small letters. */
    currencyFor,
    isSubscribed,
    startCheckout,
    mailLink,
    sendInvoice,
    outcomeOf,
    openInvoices: invoices.openOf,
    paidInvoices: invoices.paidOf,
    readEvent: provider.readEvent,
    isAmbiguous,
    lookAgain,
    reconcile,
    reconcileStale,
    reconcileAtSignIn,
    reconcileSoon,
    handleEvent,
    letGo,
    openPortal,
    writeUrls,
    announceEnds: timeEnds.announce,
    deleteExpired,
  };

  /**
   * Looks whether that has been cleared up by now.
   * @throws {SeveralCustomers} {ProviderUnavailable}
   */
  async function lookAgain(user: User): Promise<void> {
    await customerOf(user);
    await reconcile(user.id);
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
    let bought = await purchasesOf(row.customer_id);
    if (await withdrawals.refundDoublePurchase(userId, bought)) bought = await purchasesOf(row.customer_id);
    if (bought.subscriptions.length === 0) log("No subscription found for customer", { customer: row.customer_id });
    await purchases.store(userId, bought);
    await invoices.store(userId, bought.invoices);
    await db.updateTable("customer").set({ reconciled_at: began }).where("user_id", "=", userId).execute();
    await checkouts.fulfil(userId);
    await withdrawals.cancelDuplicates(userId, bought, await isSubscribed(userId));
  }

  /** Nothing where the provider does not know the customer; should it know them again, it all comes back. */
  async function purchasesOf(customer: string): Promise<Purchases> {
    try {
      return await provider.purchasesOf(customer);
    } catch (error) {
      if (!isCustomerUnknown(error)) throw error;
      log("Customer is not available", { message: (error as Error).message });
      return { subscriptions: [], payments: [], invoices: [] };
    }
  }

  /**
   * Compares everybody whose purchases have not been looked at for an hour.
   * @throws the last thing that went wrong, which has kept nobody else from being compared
   */
  async function reconcileStale(now = Date.now()): Promise<void> {
    const stale = await db
      .selectFrom("customer")
      .select("user_id")
      .where("customer_id", "is not", null)
      .where((eb) => eb.or([eb("reconciled_at", "is", null), eb("reconciled_at", "<", now - HOUR_MS)]))
      .execute();
    const problems: unknown[] = [];
    for (const { user_id } of stale) await reconcile(user_id).catch((error: unknown) => problems.push(error));
    if (problems.length > 0) throw problems.at(-1);
  }

  /**
   * Compares somebody who signs in, if that is due; whoever has bought elsewhere with the same sign-in is recognised. A
   * provider that is slow or down keeps nobody out.
   */
  async function reconcileAtSignIn(user: User, now = Date.now()): Promise<void> {
    const row = await customerRow(user.id);
    if ((row?.reconciled_at ?? 0) > now - HOUR_MS) return;
    // Accounts of this installation have a name that nobody else knows.
    if (!row?.customer_id && user.subject === null) return;
    const known = row?.customer_id ? Promise.resolve(row.customer_id) : findCustomer(user);
    await soon(known.then((customer) => (customer ? reconcile(user.id) : noteNobody(user.id, now))));
  }

  /** Compares somebody now, as far as the provider answers in time. */
  function reconcileSoon(userId: string): Promise<void> {
    return soon(reconcile(userId));
  }

  async function soon(comparing: Promise<void>): Promise<void> {
    const compared = comparing.catch((error: unknown) => log("billing.not_compared", { err: error }));
    await Promise.race([compared, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  /** The provider knew no customer then. */
  async function noteNobody(userId: string, at: number): Promise<void> {
    await keepCustomer(userId, { several: 0 });
    await db.updateTable("customer").set({ reconciled_at: at }).where("user_id", "=", userId).execute();
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

  /** Before an account is deleted: takes back at the provider what has been ordered and not paid. @returns what that has to wait for */
  async function letGo(userId: string): Promise<DeletionBlocker | null> {
    const row = await customerRow(userId);
    const customer = row?.customer_id;
    return customer ? withdrawals.cancelForAccountDeletion(userId, () => purchasesOf(customer)) : null;
  }

  /** @returns null for who has never bought anything */
  async function openPortal(user: User, locale: Locale): Promise<string | null> {
    const row = await customerRow(user.id);
    if (!row?.customer_id) {
      log("Customer is not available", { user: user.id });
      return null;
    }
    return withCustomer(user, (customer) => provider.openPortal(customer, `${baseUrl}/profile/general`, locale));
  }

  /** Tells the provider which URLs are registered; what fails is tried again the next time. */
  async function writeUrls(): Promise<void> {
    for (const { id, kind, version, urls } of await purchases.unwritten()) {
      try {
        await provider.writeUrls(kind, id, urls);
        await purchases.written(id, version);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        if (kind === "subscription" && error instanceof UnknownToProvider) log("No subscription found", { subscription: id });
        log(kind === "subscription" ? "Error updating subscription" : "billing.urls_not_written", { err: error });
      }
    }
  }

  async function deleteExpired(now = Date.now()): Promise<void> {
    await db.deleteFrom("billing_event").where("received_at", "<", now - EVENTS_KEPT_MS).execute();
  }
}
