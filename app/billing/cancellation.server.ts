import type { Db } from "db/schema";
import type { BillingProvider, Checkout, ProviderInvoice, ProviderSubscription, Purchases, Cancelable } from "./provider";
import { ProviderUnavailable, unlessUnknown } from "./billing-errors";
import { within } from "~/platform/async/deadline";
import { DAY_MS } from "~/platform/durations";
import type { EventLog } from "~/platform/event-log";
import { formatPrice } from "./plans/plans";
import type { WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import { renews, isOverdue, isUnpaid } from "./purchase-entitlement";
import type { PurchaseModel } from "./purchase.server";

/** Maximum lifetime of a checkout. */
const CHECKOUT_LIFE_MS = DAY_MS;
/** Time-out of a form that waits for the provider. */
const PATIENCE_MS = 10_000;

/**
 * Reason why an account cannot be deleted: a continuing subscription, a pending payment, or `unreachable`: the provider does
 * not answer.
 */
export type DeletionBlocker = "still_charged" | "still_paying" | "unreachable";

export interface CancellationsOptions {
  db: Db;
  provider: Pick<BillingProvider, "checkout" | "refundSubscription" | "cancelUnpaid">;
  purchases: Pick<PurchaseModel, "of">;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for the links in mails. */
  baseUrl: string;
  log: EventLog;
}

/** Cancels orders at the provider that must not be paid any more. */
export function createCancellations({ db, provider, purchases, mails, write, baseUrl, log }: CancellationsOptions) {
  return { refundDoublePurchase, cancelDuplicates, cancelForAccountDeletion };

  /**
   * Double purchase, such as two monthly subscriptions paid in two tabs: one stays, the first that was delivered or else
   * the oldest. The others are cancelled and refunded, and the buyer gets one mail about it.
   * @returns whether something was refunded, so that the known state of the provider is outdated
   */
  async function refundDoublePurchase(userId: string, { subscriptions }: Purchases): Promise<boolean> {
    const running = subscriptions.filter((each) => isCharged({ subscriptions: [each] }) && each.order !== null && !each.paused);
    if (running.length === 0) return false;
    const orders = await db
      .selectFrom("checkout_order")
      .select(["id", "fulfilled_at", "given_back_at"])
      .where("user_id", "=", userId)
      .where("id", "in", running.flatMap(({ order }) => order ?? []))
      .execute();
    // A subscription without an order of this user was created at the provider.
    const known = running.flatMap((subscription) => {
      const order = orders.find(({ id }) => id === subscription.order);
      return order ? [{ subscription, order }] : [];
    });
    // A refund may need several attempts.
    const refundable = known.filter(({ order }) => order.given_back_at !== null);
    const [kept, ...others] = known.filter(({ order }) => order.given_back_at === null).sort(byPrecedence);
    for (const other of others) {
      if (!kept || Math.abs(other.subscription.createdAt - kept.subscription.createdAt) > CHECKOUT_LIFE_MS) continue;
      await noteRefund(userId, other.subscription, kept.subscription);
      refundable.push(other);
    }
    let isAny = false;
    for (const { subscription } of refundable) if (await refund(subscription.id)) isAny = true;
    return isAny;
  }

  /** Refunds a subscription. Errors are logged, and the refund is tried again later: the other subscription works meanwhile. */
  async function refund(subscription: string): Promise<boolean> {
    const isOver = await unlessUnknown(provider.refundSubscription(subscription), true).catch((error: unknown) => {
      log("subscription could not be refunded", { subscription, err: error });
      return false;
    });
    if (isOver) log("subscription refunded", { subscription });
    return isOver;
  }

  /** Stores the refund before it is made, with one mail: the refund itself may need several attempts. */
  async function noteRefund(userId: string, { order, planName, amount, currency }: ProviderSubscription, kept: ProviderSubscription) {
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("checkout_order")
        .set({ given_back_at: Date.now() })
        .where("id", "=", order)
        .where("user_id", "=", userId)
        .where("given_back_at", "is", null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return;
      const { email, locale } = await trx.selectFrom("user").select(["email", "locale"]).where("id", "=", userId).executeTakeFirstOrThrow();
      const values = {
        plan: planName,
        kept: kept.planName,
        amount: formatPrice(amount / 100, currency.toUpperCase(), locale),
        link: `${baseUrl}/setup`,
        contact: `${baseUrl}/contact`,
      };
      await mails.post(trx, { to: email, ...write("given_back", locale, values) });
    });
  }

  /**
   * Cancels overdue subscriptions by invoice, and orders that would charge a subscriber twice: other subscriptions that
   * await their first payment, and checkouts from another tab or a mail.
   */
  async function cancelDuplicates(userId: string, { subscriptions }: Purchases, isSubscribed: boolean): Promise<void> {
    for (const each of subscriptions) {
      if (isUnpaid(each) && (isSubscribed || isOverdue(each))) await cancelOrder("subscription", each.id);
    }
    if (!isSubscribed) return;
    for (const id of await checkoutsOf(userId)) {
      if (await isOpenByMonth(id)) await cancelOrder("checkout", id);
    }
  }

  /**
   * Cancels all unpaid orders before an account is deleted: a later payment would buy nothing.
   * @param read reads the purchases from the provider
   * @returns the reason why the deletion has to wait; null for none. Canceled orders stay canceled, and another attempt
   * continues
   */
  async function cancelForAccountDeletion(userId: string, read: () => Promise<Purchases>): Promise<DeletionBlocker | null> {
    try {
      return await within(PATIENCE_MS, cancelAll(userId, read), () => new ProviderUnavailable("no answer in time"));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      log("orders of an account could not be canceled for its deletion", { err: error });
      if (await hasOpenOrder(userId)) return "unreachable";
      const known = await purchases.of(userId);
      return known.some((each) => each.kind === "subscription" && renews(each)) ? "still_charged" : null;
    }
  }

  async function cancelAll(userId: string, read: () => Promise<Purchases>): Promise<DeletionBlocker | null> {
    if (isCharged(await read())) return "still_charged";
    for (const id of await checkoutsOf(userId)) if (!(await cancelOrder("checkout", id))) return "still_paying";
    // All checkouts are closed now; one of them may have been paid meanwhile.
    const left = await read();
    if (isCharged(left)) return "still_charged";
    const unpaid: [Cancelable, string][] = [
      ...left.subscriptions.filter(isUnpaid).map(({ id }): [Cancelable, string] => ["subscription", id]),
      ...left.invoices.filter(isOpenOrder).map(({ id }): [Cancelable, string] => ["invoice", id]),
    ];
    for (const [kind, id] of unpaid) if (!(await cancelOrder(kind, id))) return "still_paying";
    return null;
  }

  /** Whether the provider may have an unpaid order. */
  async function hasOpenOrder(userId: string, now = Date.now()): Promise<boolean> {
    const row = await db
      .selectFrom("checkout_order")
      .select("id")
      .where("user_id", "=", userId)
      .where("fulfilled_at", "is", null)
      .where((eb) => eb.or([eb("way", "=", "invoice"), eb("created_at", ">", now - CHECKOUT_LIFE_MS)]))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Checkouts that may be open. */
  async function checkoutsOf(userId: string): Promise<string[]> {
    const rows = await db
      .selectFrom("checkout_order")
      .select("checkout_id")
      .where("user_id", "=", userId)
      .where("way", "!=", "invoice")
      .where("fulfilled_at", "is", null)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.flatMap(({ checkout_id }) => checkout_id ?? []);
  }

  async function isOpenByMonth(id: string): Promise<boolean> {
    const checkout = await unlessUnknown<Checkout | null>(provider.checkout(id), null);
    return checkout?.rhythm === "month" && checkout.status === "open";
  }

  async function cancelOrder(kind: Cancelable, id: string): Promise<boolean> {
    const isCanceled = await unlessUnknown(provider.cancelUnpaid(kind, id), true);
    log(isCanceled ? "unpaid order canceled" : "order could not be canceled", { kind });
    return isCanceled;
  }
}

interface KnownSubscription {
  subscription: ProviderSubscription;
  order: { fulfilled_at: number | null };
}

/** Order: delivered ones first, then the oldest; equal ones by id. */
function byPrecedence({ subscription: one, order: first }: KnownSubscription, { subscription: other, order: second }: KnownSubscription) {
  const delivered = Number(second.fulfilled_at !== null) - Number(first.fulfilled_at !== null);
  return delivered || one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

const isCharged = ({ subscriptions }: Pick<Purchases, "subscriptions">) => subscriptions.some((each) => renews(each) && !isUnpaid(each));

const isOpenOrder = ({ status, order }: ProviderInvoice) => status === "open" && order !== null;
