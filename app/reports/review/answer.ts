export const ANSWERS = ["problem", "no_problem", "ignore"] as const;
export type Answer = (typeof ANSWERS)[number];

/** Which questions a list shows. */
export const REVIEW_STATES = ["all", "open", "answered"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** A person's answer for an element that the engine could not judge. */
export interface Review {
  answer: Answer;
  reason: string | null;
  /** Their name. */
  by: string;
  /** Unix time in ms. */
  at: number;
}
