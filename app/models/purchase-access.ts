import type { ProviderPayment, ProviderSubscription } from "~/billing/provider";

/**
 * What a subscription's state means for its owner.
 *
 * | status | access | why |
 * | --- | --- | --- |
 * | `active`, `trialing` | yes | also when it ends with the period: that is paid for |
 * | the same, by invoice | once one was paid | it runs from the day on which its first invoice is sent |
 * | `past_due` | yes | the provider still tries to charge; it says `unpaid` or `canceled` when it gives up |
 * | `past_due`, by invoice | no | the time to pay is over, and nobody tries to charge |
 * | the same, ordered here and never paid | no | it is taken back (`isOverdue`): nobody is to get invoices for ever |
 * | `unpaid`, `canceled` | no | |
 * | `incomplete`, `incomplete_expired` | no | the first payment has not succeeded |
 * | `paused`, or charging is paused | no | nothing is paid meanwhile |
 * | a payment of it refunded or disputed | as the status says | whether that ends it is decided at the provider |
 *
 * A plan change counts at once: with a smaller one the URLs that were registered first stay covered.
 */
export function subscriptionGrants({
  status,
  paused,
  byInvoice,
  paid,
}: Pick<ProviderSubscription, "status" | "paused" | "byInvoice" | "paid">): boolean {
  const runs = status === "active" || status === "trialing";
  return !paused && (byInvoice ? runs && paid : runs || status === "past_due");
}

/** The provider's words for what costs nothing any more; an unpaid subscription goes on. */
const OVER = ["canceled", "incomplete", "incomplete_expired", "gone"];

/** Will a subscription be charged for again? */
export function goesOn({ status, cancelAtPeriodEnd }: { status: string; cancelAtPeriodEnd: boolean }): boolean {
  return !cancelAtPeriodEnd && !OVER.includes(status);
}

/** Was it ordered here, and never paid? It can be taken back. What others have made at the provider is theirs. */
export function isUnpaid({
  order,
  status,
  byInvoice,
  paid,
}: Pick<ProviderSubscription, "order" | "status" | "byInvoice" | "paid">): boolean {
  const awaitsPayment = byInvoice ? !paid && !OVER.includes(status) : status === "incomplete";
  return order !== null && awaitsPayment;
}

/** Is the time over in which its invoice was to be paid? */
export const isOverdue = ({ status }: Pick<ProviderSubscription, "status">) => status === "past_due" || status === "unpaid";

/**
 * What a one-time payment's state means for its owner.
 *
 * | state | access | why |
 * | --- | --- | --- |
 * | succeeded | yes | for good |
 * | refunded in part | yes | a discount |
 * | refunded in full | no | it was given back |
 * | disputed | no, until the dispute is won | the money is taken back meanwhile |
 * | by invoice, not paid yet | no | there is an open invoice, and nothing has been bought |
 * | pending, failed | no | |
 */
export function paymentGrants({
  status,
  refunded,
  disputed,
}: Pick<ProviderPayment, "status" | "refunded" | "disputed">): boolean {
  return status === "succeeded" && refunded !== "fully" && !disputed;
}
