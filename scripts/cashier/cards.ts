import type { CardOutcome } from "./objects";

/** The cards that there are; all but the pending ones do what they do at Stripe (https://docs.stripe.com/testing). */
export const TEST_CARDS: readonly { number: string; outcome: CardOutcome }[] = [
  { number: "4242424242424242", outcome: "succeeds" },
  { number: "4000000000000002", outcome: "declined" },
  { number: "4000000000009995", outcome: "insufficient" },
  { number: "4000000000000341", outcome: "later-declined" },
  { number: "4000000000003220", outcome: "pending" },
  { number: "4000008400001629", outcome: "pending-declined" },
];

/** What a bank says when it declines, in the words of https://docs.stripe.com/declines/codes */
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
 * What becomes of a payment.
 * @param isFirst whether the person who pays is there; else it is a renewal
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

/** In groups of four, as it stands on a card. */
export const grouped = (number: string): string => number.replace(/(.{4})(?=.)/g, "$1 ");

/** The month until whose end a card is good, from `MM / YY`; null for what is no month. */
export function parseExpiry(typed: string): { month: number; year: number } | null {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*[/.\- ]?\s*(?:20)?(\d{2})\s*$/.exec(typed) ?? [];
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null;
}

/** A card is good until the end of the month that stands on it. */
export function isExpired({ month, year }: { month: number; year: number }, nowMs: number): boolean {
  return Date.UTC(year, month, 1) <= nowMs;
}
