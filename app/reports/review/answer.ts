export const ANSWERS = ["problem", "no_problem", "ignore"] as const;
export type Answer = (typeof ANSWERS)[number];

/** Filter of a list of questions. */
export const REVIEW_STATES = ["all", "open", "answered"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Answer of a person for an element that the engine could not judge. */
export interface Review {
  answer: Answer;
  reason: string | null;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
}
