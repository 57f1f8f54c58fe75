import { criteriaOfStandard } from "~/findings/success-criteria";
import type { Standard } from "~/scan/types";
import { isAssessed, type CriterionReview, type CriterionReviews } from "./verdict";

/** Verdicts on the criteria of a standard, without open ones. */
export function assessed(standard: Standard, reviews: CriterionReviews): CriterionReview[] {
  return criteriaOfStandard(standard).flatMap(({ number }) => reviews.get(number) ?? []).filter(isAssessed);
}

/** Number of criteria of a standard that a person has assessed. */
export function assessedOf(standard: Standard, reviews: CriterionReviews): { count: number; total: number } {
  return { count: assessed(standard, reviews).length, total: criteriaOfStandard(standard).length };
}
