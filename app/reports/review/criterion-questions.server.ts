import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import type { CriterionRow } from "~/reports/report-view";
import type { ReviewState } from "./answer";
import { criterionId, type CriterionQuestionView } from "./criterion-question-view";
import { markOf } from "./criterion-reviews.server";
import { isAssessed, type CriterionReviews } from "./verdict";

/**
 * Questions about the success criteria of a run. All criteria have one: no rule tests a criterion completely.
 * @param at Unix time of the results in ms
 */
export function criterionQuestions(criteria: CriterionRow[], reviews: CriterionReviews, { at, locale }: { at: number; locale: Locale }): CriterionQuestionView[] {
  const texts: Record<string, { question: string; look: string; decide: string }> = textFile(locale, "criterionQuestions");
  return criteria.flatMap(({ number, name, level, clause, state, rules }): CriterionQuestionView[] => {
    const text = texts[number];
    if (!text) return [];
    const review = reviews.get(number) ?? null;
    return [{ id: criterionId(number), number, name, level, clause, state, rules, ...text, review, mark: markOf(review), isEarlier: review !== null && review.at < at }];
  });
}

export function questionsIn(state: ReviewState, all: CriterionQuestionView[]): CriterionQuestionView[] {
  return all.filter(({ review }) => state === "all" || isAssessed(review) === (state === "answered"));
}

export function countsOf(all: CriterionQuestionView[]): Record<ReviewState, number> {
  const answered = questionsIn("answered", all).length;
  return { all: all.length, answered, open: all.length - answered };
}
