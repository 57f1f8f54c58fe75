import { DAY_MS } from "~/platform/durations";
import type { ProviderPayment, ProviderSubscription } from "./provider";
import { ONE_TIME_DAYS } from "./plans/plans";

/**
 * Entitlement of a subscription, by its state.
 *
 * | status | new scans | why |
 * | --- | --- | --- |
 * | `active`, `trialing` | yes | also when it ends with the period: that is paid for |
 * | the same, by invoice | once one was paid | it runs from the day on which its first invoice is sent |
 * | the same, not ordered here | yes | sales have agreed on it with the customer |
 * | `past_due` | yes | the provider still tries to charge; it says `unpaid` or `canceled` when it gives up |
 * | `past_due`, by invoice | no | the payment deadline is over, and there is no automatic charge |
 * | the same, ordered here and never paid | no | it is canceled (`isOverdue`): invoices must not go on for ever |
 * | `unpaid`, `canceled` | no | |
 * | `incomplete`, `incomplete_expired` | no | the first payment has not succeeded |
 * | `paused`, or charging is paused | no | nothing is paid meanwhile |
 * | a payment of it refunded or disputed | as the status says | whether that ends it is decided at the provider |
 *
 * A plan change counts at once: with a smaller one the URLs that were registered first stay covered.
 */
export function subscriptionEntitles({ order, status, paused, byInvoice, paid }: SubscriptionState): boolean {
  const runs = status === "active" || status === "trialing";
  return !paused && (byInvoice ? runs && (paid || order === null) : runs || status === "past_due");
}

type SubscriptionState = Pick<ProviderSubscription, "order" | "status" | "paused" | "byInvoice" | "paid">;

/**
 * Whether a subscription has ever been paid. What it covered until its end stays readable. A refunded payment
 * does not change that: whether it ends the subscription is decided at the provider.
 */
export function subscriptionWasPaid(subscription: SubscriptionState): boolean {
  const { status, paid } = subscription;
  return subscriptionEntitles(subscription) || (paid && status !== "incomplete" && status !== "incomplete_expired");
}

/** The provider's statuses without further charges; an unpaid subscription goes on. */
const OVER = ["canceled", "incomplete", "incomplete_expired", "gone"];

/** Whether a subscription will be charged again. */
export function renews({ status, cancelAtPeriodEnd }: { status: string; cancelAtPeriodEnd: boolean }): boolean {
  return !cancelAtPeriodEnd && !OVER.includes(status);
}

/** Whether it was ordered here and never paid, so that it can be canceled. Subscriptions created at the provider are not touched. */
export function isUnpaid({
  order,
  status,
  byInvoice,
  paid,
}: Pick<ProviderSubscription, "order" | "status" | "byInvoice" | "paid">): boolean {
  const awaitsPayment = byInvoice ? !paid && !OVER.includes(status) : status === "incomplete";
  return order !== null && awaitsPayment;
}

/** Whether the payment deadline of its invoice is over. */
export const isOverdue = ({ status }: Pick<ProviderSubscription, "status">) => status === "past_due" || status === "unpaid";

/**
 * Whether a one-time payment is paid and not refunded. It covers new scans until `paymentEnd`; covered reports stay readable.
 *
 * | state | paid for | why |
 * | --- | --- | --- |
 * | succeeded | yes | |
 * | refunded in part | yes | a discount |
 * | refunded in full | no | it was refunded |
 * | disputed | no, until the dispute is won | the money is taken back meanwhile |
 * | by invoice, not paid yet | no | there is an open invoice, and nothing has been bought |
 * | pending, failed | no | |
 */
export function paymentWasPaid({
  status,
  refunded,
  disputed,
}: Pick<ProviderPayment, "status" | "refunded" | "disputed">): boolean {
  return status === "succeeded" && refunded !== "fully" && !disputed;
}

/** End of coverage of a one-time payment for new scans (Unix time in ms); null until it has succeeded. */
export const paymentEnd = ({ paidAt }: Pick<ProviderPayment, "paidAt">): number | null =>
  paidAt === null ? null : paidAt + ONE_TIME_DAYS * DAY_MS;

/** Coverage of a registered website by its purchase. Times are Unix time in ms. */
export interface CoveragePeriod {
  /** Time when the website was removed from the plan; null if registered. */
  removedAt: number | null;
  /** End of the purchase's coverage for new scans; null until further notice. */
  endsAt: number | null;
  /** Time when the plan became too small for it; null if within the limit. */
  excludedAt: number | null;
}

/**
 * Whether a report may be read in full: yes, if its run is from a time when its website was covered by a paid and not
 * refunded purchase. It stays readable after the purchase ends, as long as the run is kept:
 *
 * | what happened | reports from before | reports from afterwards |
 * | --- | --- | --- |
 * | nothing: the website is covered | open, also those from before it was registered | |
 * | the plan has ended, or the 30 days of a one-time payment | open | locked until it is covered again |
 * | the website was removed from the plan | open | locked until it is registered again |
 * | the plan became too small for it | open | locked until it is within the limit again |
 * | the money was refunded in full, or is disputed | locked | locked |
 *
 * @param periods coverage of the run's website by paid and not refunded purchases
 */
export function entitlesToReport(periods: CoveragePeriod[], { createdAt }: { createdAt: number }): boolean {
  return periods.some(({ removedAt, endsAt, excludedAt }) =>
    [removedAt, endsAt, excludedAt].every((end) => end === null || createdAt < end),
  );
}
