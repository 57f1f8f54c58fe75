import { criteriaOfStandard } from "~/findings/success-criteria";
import type { Standard } from "~/scan/types";
import { isAssessed, type CriterionReviews } from "./verdict";

/** How many of the criteria of a standard a person has assessed. */
export function assessedOf(standard: Standard, reviews: CriterionReviews): { count: number; total: number } {
  const criteria = criteriaOfStandard(standard);
  return { count: criteria.filter(({ number }) => isAssessed(reviews.get(number))).length, total: criteria.length };
}
