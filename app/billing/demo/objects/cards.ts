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
  switch (outcome) {
    case "declined":
      return { is: "declined", decline: GENERIC_DECLINE };
    case "insufficient":
      return { is: "declined", decline: INSUFFICIENT };
    case "later-declined":
      return isFirst ? { is: "paid" } : { is: "declined", decline: GENERIC_DECLINE };
    case "pending":
    case "pending-declined":
      return isFirst ? { is: "pending", willSucceed: outcome === "pending" } : { is: "paid" };
    case "succeeds":
      return { is: "paid" };
  }
}

export const digitsOf = (typed: string): string => typed.replace(/[\s-]/g, "");

/** In groups of four digits, as printed on a card. */
export const grouped = (number: string): string => number.replace(/(.{4})(?=.)/g, "$1 ");

/** The last month in which a card is valid, from `MM / YY`; null if it is no month. */
export function parseExpiry(typed: string): { month: number; year: number } | null {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*[/.\- ]?\s*(?:20)?(\d{2})\s*$/.exec(typed) ?? [];
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null;
}

/** A card is valid until the end of the month printed on it. */
export function isExpired({ month, year }: { month: number; year: number }, nowMs: number): boolean {
  return Date.UTC(year, month, 1) <= nowMs;
}
