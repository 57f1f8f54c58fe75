import type { CriterionRow } from "~/reports/report-view";
import type { CriterionReview } from "./verdict";

/** Success criterion as a question to a person; texts in the reader's language. */
export interface CriterionQuestionView extends Pick<CriterionRow, "number" | "name" | "level" | "clause" | "state" | "rules"> {
  /** Anchor on the page. */
  id: string;
  question: string;
  /** Instructions: aspects to look at, and how to decide. */
  look: string;
  decide: string;
  review: CriterionReview | null;
  /** Mark of the verdict, for detecting changes. */
  mark: string;
  /** Whether the verdict is older than the results of this run. */
  isEarlier: boolean;
}

/** Anchor of a criterion's question: without dots, which CSS would read as classes. */
export const criterionId = (number: string): string => `criterion-${number.replaceAll(".", "-")}`;

/** Ids of the fields of a criterion. */
export const verdictField = (number: string): string => `${criterionId(number)}-verdict`;
export const confirmField = (number: string): string => `${criterionId(number)}-confirm`;
export const noteField = (number: string): string => `${criterionId(number)}-note`;

/** Question of a field, by the id of the field. */
export const criterionByField = <Question extends Pick<CriterionQuestionView, "number">>(questions: Question[], field: string): Question | undefined =>
  questions.find(({ number }) => field === verdictField(number) || field === noteField(number));
