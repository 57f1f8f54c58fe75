import type { ProviderPayment, ProviderSubscription } from "~/billing/provider";

/**
 * What a subscription's state means for its owner.
 *
 * | status | access | why |
 * | --- | --- | --- |
 * | `active`, `trialing` | yes | also when it ends with the period: that is paid for |
 * | `past_due` | yes | the provider still tries to charge; it says `unpaid` or `canceled` when it gives up |
 * | `unpaid`, `canceled` | no | |
 * | `incomplete`, `incomplete_expired` | no | the first payment has not succeeded |
 * | `paused`, or charging is paused | no | nothing is paid meanwhile |
 *
 * A plan change counts at once: with a smaller one the URLs that were registered first stay covered.
 */
export function subscriptionGrants({ status, paused }: Pick<ProviderSubscription, "status" | "paused">): boolean {
  return !paused && (status === "active" || status === "trialing" || status === "past_due");
}

/**
 * What a one-time payment's state means for its owner.
 *
 * | state | access | why |
 * | --- | --- | --- |
 * | succeeded | yes | for good |
 * | refunded in part | yes | a discount |
 * | refunded in full | no | it was given back |
 * | disputed | no, until the dispute is won | the money is taken back meanwhile |
 * | pending, failed | no | |
 */
export function paymentGrants({
  status,
  refunded,
  disputed,
}: Pick<ProviderPayment, "status" | "refunded" | "disputed">): boolean {
  return status === "succeeded" && refunded !== "fully" && !disputed;
}
