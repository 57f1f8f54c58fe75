export const VERDICTS = ["fulfilled", "not_fulfilled", "not_applicable", "open"] as const;
/** `open`: not decided yet; stored only for its note. */
export type Verdict = (typeof VERDICTS)[number];

/** Verdict of a person on a success criterion. */
export interface CriterionReview {
  verdict: Verdict;
  /** Never null with `not_fulfilled` and `open`. */
  note: string | null;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
}

/** Verdicts by the number of the criterion. */
export type CriterionReviews = ReadonlyMap<string, CriterionReview>;

export const isAssessed = (review: Pick<CriterionReview, "verdict"> | null | undefined): boolean => review != null && review.verdict !== "open";
