import type { Db } from "db/schema";
import type { BillingEvent, BillingProvider, Purchases } from "./provider";
import { isCustomerUnknown, ProviderUnavailable, UnknownToProvider } from "./billing-errors";
import type { Locale } from "~/platform/i18n/i18n";
import { SINGLE_PROCESS, type Installation } from "~/platform/installation/installation";
import { withLock } from "~/platform/installation/with-lock";
import { withinOr } from "~/platform/async/deadline";
import { createCoalescingRunner } from "~/platform/async/mutex";
import { DAY_MS, HOUR_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import { createPriceList } from "./plans/price-list";
import type { WriteLetter } from "~/mail/mail";
import { createCheckouts } from "./checkout.server";
import type { Fulfilments } from "./fulfilment";
import { createCustomers } from "./customer.server";
import { createInvoices } from "./invoice.server";
import type { Mails } from "~/mail/outbox.server";
import type { PurchaseModel } from "./purchase.server";
import { createSubscriptions } from "./subscription.server";
import type { User } from "~/accounts/user.server";
import { createExpiryNotices } from "./expiry-notice.server";
import { createCancellations, type DeletionBlocker } from "./cancellation.server";

const EVENTS_KEPT_MS = 365 * DAY_MS;
/** Time-out: a sign-in does not wait longer for the provider; a later answer is still stored. */
const PATIENCE_MS = 2_000;

export interface BillingOptions {
  db: Db;
  provider: BillingProvider;
  purchases: PurchaseModel;
  fulfilments: Fulfilments;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for redirects back. */
  baseUrl: string;
  /** Processes that use the provider. */
  installation?: Pick<Installation, "lock">;
  log?: EventLog;
}

export type Billing = ReturnType<typeof createBilling>;

/**
 * Keeps our data equal to the provider's. Every event has the same effect: all purchases of that customer are read again. So
 * events may come twice, in any order, or not at all.
 */
export function createBilling({ db, provider, purchases, fulfilments, mails, write, baseUrl, installation = SINGLE_PROCESS, log = () => {} }: BillingOptions) {
  const ofUser = createCoalescingRunner();
  const priceList = createPriceList({ read: () => provider.prices() });
  const invoices = createInvoices({ db, mails, write, baseUrl });
  const subscriptions = createSubscriptions({ db });
  const customers = createCustomers({ db, provider, log });
  const { withCustomer, customerOf, findCustomer, isAmbiguous, customerRow, keepCustomer } = customers;
  const expiryNotices = createExpiryNotices({ db, mails, write, baseUrl });
  const { currencyFor, isSubscribed } = subscriptions;
  const shared = { db, provider, fulfilments, subscriptions, mails, write, baseUrl, installation, log };
  const checkouts = createCheckouts({ ...shared, prices: priceList.current, shownPrices: priceList.shown, withCustomer, reconcile });
  const cancellations = createCancellations({ db, provider, purchases, mails, write, baseUrl, log });
  const { quote, startCheckout, mailLink, sendInvoice, outcomeOf } = checkouts;

  return {
    prices: priceList.current,
    /** Last known prices; null if unknown. Never waits for long. */
    shownPrices: priceList.shown,
    quote,
    /** Currency of a user's charges, in lower case. */
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
    recheckCustomer,
    reconcile,
    reconcileStale,
    reconcileAtSignIn,
    handleEvent,
    cancelForAccountDeletion,
    openPortal,
    writeUrls,
    writeUrlsSoon,
    sendExpiryNotices: expiryNotices.announce,
    deleteExpired,
  };

  /**
   * Checks whether `isAmbiguous` is resolved now.
   * @throws {SeveralCustomers} {ProviderUnavailable}
   */
  async function recheckCustomer(user: User): Promise<void> {
    await customerOf(user);
    await reconcile(user.id);
  }

  /**
   * Stores a user's purchases from the provider, and registers their websites. Mutex for each user: an older
   * answer is never stored after a newer one.
   */
  function reconcile(userId: string): Promise<void> {
    return ofUser(userId, () => withLock(installation, `purchases of ${userId}`, () => reconcileNow(userId)));
  }

  async function reconcileNow(userId: string): Promise<void> {
    const row = await customerRow(userId);
    if (!row?.customer_id) return;
    const began = Date.now();
    let bought = await purchasesOf(row.customer_id);
    if (await cancellations.refundDoublePurchase(userId, bought)) bought = await purchasesOf(row.customer_id);
    if (bought.subscriptions.length === 0) log("No subscription found for customer", { customer: row.customer_id });
    await purchases.store(userId, bought);
    await invoices.store(userId, bought.invoices);
    await db.updateTable("customer").set({ reconciled_at: began }).where("user_id", "=", userId).execute();
    await checkouts.fulfil(userId);
    await cancellations.cancelDuplicates(userId, bought, await isSubscribed(userId));
  }

  /** Purchases of a customer; none if the provider does not know the customer (they return if it knows them again). */
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
   * Reconciles all users whose last reconciliation is older than an hour.
   * @throws the last error; an error does not stop the reconciliation of other users
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
   * Reconciles a user at sign-in, if due; finds purchases made elsewhere with the same sign-in. A slow or unavailable
   * provider does not block the sign-in.
   */
  async function reconcileAtSignIn(user: User, now = Date.now()): Promise<void> {
    const row = await customerRow(user.id);
    if ((row?.reconciled_at ?? 0) > now - HOUR_MS) return;
    // Local accounts have an id that no other service knows.
    if (!row?.customer_id && user.subject === null) return;
    const known = row?.customer_id ? Promise.resolve(row.customer_id) : findCustomer(user);
    await withinPatience(known.then((customer) => (customer ? reconcile(user.id) : noteMissingCustomer(user.id, now))));
  }

  /** Waits for the reconciliation, at most `PATIENCE_MS`; errors are logged. */
  async function withinPatience(comparing: Promise<void>): Promise<void> {
    const compared = comparing.catch((error: unknown) => log("purchases could not be compared with the provider's", { err: error }));
    await withinOr(PATIENCE_MS, compared, undefined);
  }

  /** Stores that the provider did not know a customer. */
  async function noteMissingCustomer(userId: string, at: number): Promise<void> {
    await keepCustomer(userId, { several: 0 });
    await db.updateTable("customer").set({ reconciled_at: at }).where("user_id", "=", userId).execute();
  }

  /**
   * Handles an event once (idempotent). It is stored first, and counts as handled only after success.
   * @throws the error of the handling: the provider sends the event again
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

  /** Cancels unpaid orders at the provider before an account is deleted. @returns the reason if the deletion has to wait */
  async function cancelForAccountDeletion(userId: string): Promise<DeletionBlocker | null> {
    const row = await customerRow(userId);
    const customer = row?.customer_id;
    return customer ? cancellations.cancelForAccountDeletion(userId, () => purchasesOf(customer)) : null;
  }

  /** @returns null for users without a customer at the provider */
  async function openPortal(user: User, locale: Locale): Promise<string | null> {
    const row = await customerRow(user.id);
    if (!row?.customer_id) {
      log("Customer is not available", { user: user.id });
      return null;
    }
    return withCustomer(user, (customer) => provider.openPortal(customer, `${baseUrl}/profile/general`, locale));
  }

  /** Writes the registered URLs to the provider; failures are retried the next time. */
  async function writeUrls(): Promise<void> {
    for (const { id, kind, version, urls } of await purchases.unwritten()) {
      try {
        await provider.writeUrls(kind, id, urls);
        await purchases.written(id, version);
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        if (kind === "subscription" && error instanceof UnknownToProvider) log("No subscription found", { subscription: id });
        log(kind === "subscription" ? "Error updating subscription" : "URLs of a payment could not be written", { err: error });
      }
    }
  }

  /** Writes the registered URLs in the background: after an error, the periodic task tries again. */
  function writeUrlsSoon(): void {
    writeUrls().catch((error: unknown) => log("URLs were not written", { err: error }));
  }

  async function deleteExpired(now = Date.now()): Promise<void> {
    await db.deleteFrom("billing_event").where("received_at", "<", now - EVENTS_KEPT_MS).execute();
  }
}
