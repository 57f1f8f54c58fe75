import type { Db } from "db/schema";
import type { BillingProvider, Checkout, PlanPrice, Rhythm, SoldPlan } from "./provider";
import { AlreadySubscribed, AwaitingPayment, ProviderUnavailable, unlessUnknown } from "./billing-errors";
import { choicePath } from "./plans/choice";
import type { Locale } from "~/platform/i18n/i18n";
import { createKeyedMutex } from "~/platform/async/mutex";
import type { EventLog } from "~/platform/event-log";
import type { Installation } from "~/platform/installation/installation";
import { withLock } from "~/platform/installation/with-lock";
import { chargeOf } from "./plans/offers";
import { formatPrice, ONE_TIME_DAYS } from "./plans/plans";
import type { WriteLetter } from "~/mail/mail";
import type { Fulfilments } from "./fulfilment";
import { createOrderFulfilment } from "./order-fulfilment.server";
import type { Mails } from "~/mail/outbox.server";
import type { Subscriptions } from "./subscription.server";
import type { User } from "~/accounts/user.server";

const DAYS_UNTIL_DUE = 14;

export interface PlanOrder {
  /** Idempotency key, created with the form: a form sent twice is one order. */
  id: string;
  plan: SoldPlan;
  rhythm: Rhythm;
  url: string | null;
  /** Run whose result led to the order, as sent by the browser. */
  checkId: string | null;
}

/** Way to pay an order: at the provider's checkout, by a mailed link to it, or by invoice. */
export type Way = "checkout" | "link" | "invoice";

/**
 * Outcome of an order: `pending` until the provider has the money, `given_back` for a refunded double purchase.
 */
export type CheckoutOutcome = "paid" | "pending" | "open" | "failed" | "given_back";

export interface OrderState {
  outcome: CheckoutOutcome;
  way: Way;
  /** Address of the provider's page while a payment is due. */
  url: string | null;
  wanted: WantedPlan;
  /** Whether everything paid for has been delivered. */
  fulfilled: boolean;
  /** Id of the started scan of the website. */
  scanId: string | null;
  /** Unix time in ms. */
  orderedAt: number;
}

/** Plan and website of an order; plan and rhythm are null if the provider no longer sells it. */
interface WantedPlan {
  plan: SoldPlan | null;
  rhythm: Rhythm | null;
  url: string | null;
  checkId: string | null;
}

export interface CheckoutsOptions {
  db: Db;
  provider: BillingProvider;
  fulfilments: Fulfilments;
  subscriptions: Subscriptions;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for redirects back. */
  baseUrl: string;
  /** The current prices. */
  prices: () => Promise<PlanPrice[]>;
  /** Prices for display; null if unknown. */
  shownPrices: () => Promise<PlanPrice[] | null>;
  /** Calls `work` with the user's customer at the provider. @throws {SeveralCustomers} {ProviderUnavailable} */
  withCustomer: <Result>(user: User, work: (customer: string) => Promise<Result>) => Promise<Result>;
  /** Stores a user's purchases from the provider. */
  reconcile: (userId: string) => Promise<void>;
  /** Processes that use the provider. */
  installation: Pick<Installation, "lock">;
  log: EventLog;
}

/** Orders of plans, from the form to the registration of the URL after payment. */
export function createCheckouts(options: CheckoutsOptions) {
  const { db, provider, fulfilments, subscriptions, mails, write, baseUrl, prices, shownPrices, withCustomer, reconcile, installation, log } = options;
  const inOrder = createKeyedMutex();
  const { fulfil } = createOrderFulfilment({ db, fulfilments, stateOf });
  const pageAfter = (orderId: string) => `${baseUrl}/setup/done?order=${encodeURIComponent(orderId)}`;

  return { quote, startCheckout, mailLink, sendInvoice, outcomeOf, fulfil };

  /**
   * Price of an order for a user, in cents; null if the plan is not for sale.
   * @throws {ProviderUnavailable}
   */
  async function quote(userId: string, order: Pick<PlanOrder, "plan" | "rhythm">, locale: Locale) {
    const price = await priceOf(order);
    return price ? { ...chargeOf(price, await subscriptions.currencyFor(userId, locale)), daysUntilDue: DAYS_UNTIL_DUE } : null;
  }

  /**
   * Starts the provider's checkout. Idempotent: the same order has the same checkout.
   * @returns address of the checkout, or of the page with the outcome of the order; null if the plan is not for sale
   * @throws {AlreadySubscribed} {AwaitingPayment} {SeveralCustomers} {ProviderUnavailable}
   */
  async function startCheckout(user: User, order: PlanOrder, locale: Locale): Promise<string | null> {
    const price = await priceOf(order);
    if (!price) return null;
    const { url } = await open(user, order, price, "checkout", locale);
    return url ?? pageAfter(order.id);
  }

  /**
   * Sends the address of the checkout to the user's mailbox, once for an order.
   * @returns false when the plan is not for sale
   * @throws {AlreadySubscribed} {AwaitingPayment} {SeveralCustomers} {ProviderUnavailable}
   */
  async function mailLink(user: User, order: PlanOrder, locale: Locale): Promise<boolean> {
    const price = await priceOf(order);
    if (!price) return false;
    const { url } = await open(user, order, price, "link", locale);
    if (url === null) return true;
    const charge = chargeOf(price, await subscriptions.currencyFor(user.id, locale));
    const amount = formatPrice(charge.amount / 100, charge.currency.toUpperCase(), locale);
    await db.transaction().execute(async (trx) => {
      const first = await trx
        .updateTable("checkout_order")
        .set({ mailed_at: Date.now() })
        .where("id", "=", order.id)
        .where("user_id", "=", user.id)
        .where("mailed_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      if (!first) return;
      const rhythm = order.rhythm === "month" ? "payment_link" : "payment_link_once";
      const values = { plan: order.plan === "basic" ? "Basic" : "Pro", amount, link: url, days: String(ONE_TIME_DAYS) };
      await mails.post(trx, { to: user.email, ...write(rhythm, locale, values) });
    });
    return true;
  }

  /**
   * Sends an invoice to the user's mailbox. A user with an open invoice for the same price gets no second one.
   * @returns id of the order; null if the plan is not for sale
   * @throws {AlreadySubscribed} {AwaitingPayment} {SeveralCustomers} {ProviderUnavailable}
   */
  function sendInvoice(user: User, order: PlanOrder, locale: Locale): Promise<string | null> {
    // Mutex: the second of two tabs finds the order of the first.
    return inOrder(user.id, () => withLock(installation, `invoice for ${user.id}`, () => sendOneInvoice(user, order, locale)));
  }

  async function sendOneInvoice(user: User, order: PlanOrder, locale: Locale): Promise<string | null> {
    const price = await priceOf(order);
    if (!price) return null;
    const unpaid = await unpaidOrder(user.id, price.id);
    if (unpaid) {
      // The website of the order may have changed.
      const wanted = { url: order.url ?? undefined, check_id: order.checkId ?? undefined };
      if (order.url) await db.updateTable("checkout_order").set(wanted).where("id", "=", unpaid).execute();
      return unpaid;
    }
    await open(user, order, price, "invoice", locale);
    try {
      // Stores the invoice and its mail.
      await reconcile(user.id);
    } catch (error) {
      // The invoice exists: an event, or the next reconciliation, finds it.
      if (!(error instanceof ProviderUnavailable)) throw error;
      log("invoice could not be stored yet", { err: error });
    }
    return order.id;
  }

  async function priceOf({ plan, rhythm }: Pick<PlanOrder, "plan" | "rhythm">): Promise<PlanPrice | undefined> {
    return (await prices()).find((each) => each.plan === plan && each.rhythm === rhythm);
  }

  /** @throws for a subscriber, or a user whose first payment is due: they would pay for both plans */
  async function assertNoSecondPlan(userId: string, { id, rhythm }: PlanOrder, way: Way): Promise<void> {
    if (rhythm === "once") return;
    if (await subscriptions.isSubscribed(userId)) throw new AlreadySubscribed();
    // The waiting subscription may belong to this order: a retry after a lost answer.
    const isRetry = way === "invoice" && (await orderOf(userId, id)) !== undefined;
    if (!isRetry && (await subscriptions.awaitsPayment(userId))) throw new AwaitingPayment();
  }

  async function open(user: User, order: PlanOrder, price: PlanPrice, way: Way, locale: Locale): Promise<Checkout> {
    // The provider forgets an idempotency key after a day, and would order again for the form of an old tab.
    const done = await completed(user.id, order.id);
    if (done) return done;
    await assertNoSecondPlan(user.id, order, way);
    return withCustomer(user, (customer) => begin(user, customer, order, price, way, locale));
  }

  async function begin(
    user: User,
    customer: string,
    { id, plan, rhythm, url, checkId }: PlanOrder,
    price: PlanPrice,
    way: Way,
    locale: Locale,
  ): Promise<Checkout> {
    await db
      .insertInto("checkout_order")
      .values({ id, user_id: user.id, price_id: price.id, url, check_id: checkId, way, created_at: Date.now() })
      // A form sent again reopens an order that was closed unpaid: otherwise, nothing would be delivered after the payment.
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet({ fulfilled_at: null, mailed_at: null, created_at: Date.now() })
          .where("checkout_order.user_id", "=", user.id)
          .where("checkout_order.fulfilled_at", "is not", null)
          .where("checkout_order.run_id", "is", null)
          .where("checkout_order.given_back_at", "is", null),
      )
      .execute();
    const { currency } = chargeOf(price, await subscriptions.currencyFor(user.id, locale));
    const order = { id, customer, price, currency, url };
    const checkout =
      way === "invoice"
        ? await provider.startInvoice({ ...order, locale, daysUntilDue: DAYS_UNTIL_DUE })
        : await provider.startCheckout({
            ...order,
            locale,
            successUrl: pageAfter(id),
            cancelUrl: `${baseUrl}${choicePath("/setup", { plan, rhythm, url: url ?? "", check: checkId ?? "" })}`,
          });
    await db
      .updateTable("checkout_order")
      .set({ checkout_id: checkout.id })
      .where("id", "=", id)
      .where("user_id", "=", user.id)
      .execute();
    return checkout;
  }

  async function unpaidOrder(userId: string, priceId: string): Promise<string | undefined> {
    const row = await db
      .selectFrom("checkout_order")
      .innerJoin("invoice", "invoice.id", "checkout_order.checkout_id")
      .select("checkout_order.id")
      .where("checkout_order.user_id", "=", userId)
      .where("checkout_order.price_id", "=", priceId)
      .where("invoice.user_id", "=", userId)
      .where("invoice.status", "=", "open")
      .executeTakeFirst();
    return row?.id;
  }

  /** State of an order at the provider; undefined if it is unknown, or another user's. */
  async function outcomeOf(user: User, orderId: string): Promise<OrderState | undefined> {
    const order = await orderOf(user.id, orderId);
    if (!order?.checkout_id) return undefined;
    const checkout = await stateOf(order.way, order.checkout_id);
    if (checkout.status === "complete") await reconcile(user.id);
    const reconciled = await orderOf(user.id, orderId);
    return {
      outcome: reconciled?.given_back_at != null ? "given_back" : outcome(checkout),
      way: order.way,
      url: checkout.url,
      wanted: await wantedBy(order),
      fulfilled: reconciled?.fulfilled_at != null,
      scanId: reconciled?.run_id ?? null,
      orderedAt: order.created_at,
    };
  }

  async function wantedBy({ price_id, url, check_id }: { price_id: string; url: string | null; check_id: string | null }) {
    const price = (await shownPrices())?.find(({ id }) => id === price_id);
    return { plan: price?.plan ?? null, rhythm: price?.rhythm ?? null, url, checkId: check_id };
  }

  /** The state of a completed order; undefined while it is not complete. */
  async function completed(userId: string, orderId: string): Promise<Checkout | undefined> {
    const known = await orderOf(userId, orderId);
    if (!known?.checkout_id) return undefined;
    const checkout = await stateOf(known.way, known.checkout_id);
    return checkout.status === "complete" ? checkout : undefined;
  }

  function orderOf(userId: string, id: string) {
    return db
      .selectFrom("checkout_order")
      .select(["checkout_id", "way", "price_id", "url", "check_id", "fulfilled_at", "given_back_at", "run_id", "created_at"])
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
  }

  function stateOf(way: Way, id: string): Promise<Checkout> {
    const answer = way === "invoice" ? provider.invoice(id) : provider.checkout(id);
    return unlessUnknown(answer, { id, url: null, customer: null, status: "expired", rhythm: "once", paid: false });
  }
}

function outcome({ status, paid }: Checkout): CheckoutOutcome {
  if (status === "complete") return paid ? "paid" : "pending";
  return status === "open" ? "open" : "failed";
}
