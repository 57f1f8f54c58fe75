import type { Db } from "db/schema";
import type { ProviderPayment, ProviderSubscription } from "~/billing/provider";
import { createPurchases } from "~/billing/purchase.server";

const MONTH_MS = 30 * 86_400_000;

/** Data of the provider about a monthly subscription. */
export function subscription(more: Partial<ProviderSubscription> = {}): ProviderSubscription {
  return {
    id: "sub_1",
    order: "order-1",
    status: "active",
    plan: "pro",
    planName: "Rampe Pro",
    urlLimit: 5,
    amount: 4_000,
    currency: "eur",
    createdAt: 1_000,
    urls: [],
    byInvoice: false,
    paid: true,
    cancelAtPeriodEnd: false,
    paused: false,
    periodStart: 0,
    periodEnd: MONTH_MS,
    ...more,
  };
}

/** Data of the provider about a one-time payment. */
export function payment(more: Partial<ProviderPayment> = {}): ProviderPayment {
  return {
    id: "pi_1",
    status: "succeeded",
    paidAt: Date.now(),
    plan: "basic",
    planName: "Rampe Basic",
    urlLimit: 1,
    amount: 2_000,
    currency: "eur",
    createdAt: 2_000,
    urls: [],
    refunded: "no",
    disputed: false,
    ...more,
  };
}

/** Stores a subscription of a user, as reported by the provider; by default Pro, for five websites. */
export async function subscribe(db: Db, { id }: { id: string }, more: Partial<ProviderSubscription> = {}): Promise<void> {
  await createPurchases({ db }).store(id, { subscriptions: [subscription({ id: `sub_${id}`, ...more })], payments: [] });
}

/** Values of an ended subscription: covered reports stay readable. */
export const ENDED = { status: "canceled", paid: true } as const;

/** Values of a subscription that was never paid. */
export const UNPAID = { status: "incomplete", paid: false } as const;
