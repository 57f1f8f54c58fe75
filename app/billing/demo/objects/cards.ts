import type { CardOutcome } from "~/billing/demo/store/objects";

/** All test cards; except the pending ones, they behave as at Stripe (https://docs.stripe.com/testing). */
export const TEST_CARDS: readonly { number: string; outcome: CardOutcome }[] = [
  { number: "4242424242424242", outcome: "succeeds" },
  { number: "4000000000000002", outcome: "declined" },
  { number: "4000000000009995", outcome: "insufficient" },
  { number: "4000000000000341", outcome: "later-declined" },
  { number: "4000000000003220", outcome: "pending" },
  { number: "4000008400001629", outcome: "pending-declined" },
];

/** A bank's reason for declining, as in https://docs.stripe.com/declines/codes */
export interface Decline {
  code: "card_declined";
  decline_code: "generic_decline" | "insufficient_funds";
  message: string;
}

export const GENERIC_DECLINE: Decline = {
  code: "card_declined",
  decline_code: "generic_decline",
  message: "Your card was declined.",
};

const INSUFFICIENT: Decline = {
  code: "card_declined",
  decline_code: "insufficient_funds",
  message: "Your card has insufficient funds.",
};

export type Decision = { is: "paid" } | { is: "declined"; decline: Decline } | { is: "pending"; willSucceed: boolean };

/**
 * Result of a payment.
 * @param isFirst whether the payer is present; otherwise it is a renewal
 */
export function decide(outcome: CardOutcome, isFirst: boolean): Decision {
  if (outcome === "declined") return { is: "declined", decline: GENERIC_DECLINE };
  if (outcome === "insufficient") return { is: "declined", decline: INSUFFICIENT };
  if (outcome === "later-declined" && !isFirst) return { is: "declined", decline: GENERIC_DECLINE };
  if (outcome.startsWith("pending") && isFirst) return { is: "pending", willSucceed: outcome === "pending" };
  return { is: "paid" };
}
