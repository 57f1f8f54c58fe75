import type { ExpressionBuilder, Insertable, Selectable } from "kysely";
import type { Database } from "db/schema";
import type { PurchaseTable, RegisteredUrlTable } from "db/tables/billing";
import type { ProviderPayment, ProviderSubscription } from "./provider";
import type { Purchase } from "./purchase";
import { paymentEnd, paymentWasPaid, subscriptionEntitles, subscriptionWasPaid } from "./purchase-entitlement";

/** Condition for rows of `purchase` that entitle to new scans now; equal to `entitles` of a `Purchase`. */
export const entitlesNow = (now: number) => (eb: ExpressionBuilder<Database, "purchase">) =>
  eb.and([
    eb("grants", "=", 1),
    eb("status", "!=", "gone"),
    eb.or([eb("ends_at", "is", null), eb("ends_at", ">", now)]),
  ]);

export interface Limited {
  url_limit: number;
  unlimited?: 0 | 1;
}

/** Maximum number of covered websites. */
export const limitOf = ({ url_limit, unlimited }: Limited) => (unlimited === 1 ? Infinity : url_limit);

export function toPurchase(row: Selectable<PurchaseTable>, urls: Selectable<RegisteredUrlTable>[], now: number): Purchase {
  const paidFor = row.grants === 1;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    entitles: paidFor && row.status !== "gone" && (row.ends_at === null || row.ends_at > now),
    paidFor,
    endsAt: row.ends_at,
    plan: row.plan,
    planName: row.plan_name,
    urlLimit: row.unlimited === 1 ? null : row.url_limit,
    amount: row.amount,
    currency: row.currency,
    createdAt: row.created_at,
    periodEnd: row.period_end,
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    byInvoice: row.by_invoice === 1,
    granted: row.granted === 1,
    urls: urls.map(({ id, origin, url, added_at }, index) => ({
      id,
      origin,
      url,
      addedAt: added_at,
      covered: index < limitOf(row),
    })),
  };
}

/** Row of the table, without its owner, with the websites that the provider knows. */
type PurchaseRow = Omit<Insertable<PurchaseTable>, "user_id"> & { urls: string[] };

export function subscriptionRow(bought: ProviderSubscription, now: number): PurchaseRow {
  return {
    ...commonRow(bought),
    kind: "subscription",
    status: bought.status,
    grants: subscriptionWasPaid(bought) ? 1 : 0,
    ends_at: subscriptionEntitles(bought) ? null : now,
    period_start: bought.periodStart,
    period_end: bought.periodEnd,
    cancel_at_period_end: bought.cancelAtPeriodEnd ? 1 : 0,
    by_invoice: bought.byInvoice ? 1 : 0,
    paused: bought.paused ? 1 : 0,
    refunded: null,
  };
}

export function paymentRow(bought: ProviderPayment): PurchaseRow {
  return {
    ...commonRow(bought),
    kind: "payment",
    status: bought.status,
    grants: paymentWasPaid(bought) ? 1 : 0,
    ends_at: paymentEnd(bought),
    paid_at: bought.paidAt,
    period_start: null,
    period_end: null,
    refunded: bought.refunded,
    disputed: bought.disputed ? 1 : 0,
  };
}

function commonRow({ id, plan, planName, urlLimit, amount, currency, createdAt, urls }: ProviderSubscription | ProviderPayment) {
  const limit = { url_limit: urlLimit ?? 0, unlimited: urlLimit === null ? (1 as const) : (0 as const) };
  return { id, plan, plan_name: planName, ...limit, amount, currency, created_at: createdAt, urls };
}
