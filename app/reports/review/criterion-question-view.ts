import type { CriterionRow } from "~/reports/report-view";
import type { CriterionReview } from "./verdict";

/** A success criterion as a question to a person; texts in the reader's language. */
export interface CriterionQuestionView extends Pick<CriterionRow, "number" | "name" | "level" | "clause" | "state" | "rules"> {
  /** Anchor on the page. */
  id: string;
  question: string;
  /** What to look at, and how to decide. */
  look: string;
  decide: string;
  review: CriterionReview | null;
  /** The verdict is older than the results of this run. */
  isEarlier: boolean;
}

/** Anchor of a criterion's question: without dots, which style sheets would read as classes. */
export const criterionId = (number: string): string => `criterion-${number.replaceAll(".", "-")}`;
