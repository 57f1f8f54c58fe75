import type { Impact } from "~/scan/types";
import type { LocalText } from "~/findings/check-view";
import type { ElementLocationView } from "~/reports/report-view";
import type { Reached } from "~/findings/page-address";
import type { Review } from "./answer";
import type { Guidance } from "~/findings/rules/rule";

/** One question to a person on a page. */
export interface QuestionView {
  /** Anchor on the page. */
  id: string;
  fingerprint: string;
  /** One of its elements. */
  sample: ElementLocationView;
  elements: number;
  pages: number;
  /** First elements, on their pages of the report. */
  locations: { path: string; pageUrl: string; pageReached: Reached | null; openUrl: string }[];
  review: Review | null;
  isAnswered: boolean;
}

/** Questions of a rule, on one page of the list. */
export interface QuestionsOfRule {
  ruleId: string;
  title: LocalText;
  impact: Impact | null;
  criteria: string[];
  helpUrl: string;
  guidance: Guidance;
  questions: QuestionView[];
}

/** Anchor of a question on its page. */
export const questionId = (ruleId: string, fingerprint: string): string => `${ruleId}-${fingerprint}`;

interface QuestionKey {
  ruleId: string;
  fingerprint: string;
}

/** Ids of the fields of a question. */
export const answerField = ({ ruleId, fingerprint }: QuestionKey): string => `${questionId(ruleId, fingerprint)}-answer`;
export const reasonField = ({ ruleId, fingerprint }: QuestionKey): string => `${questionId(ruleId, fingerprint)}-reason`;

/** Answer as one text, for detecting changes by others. */
export const shownAnswer = (answer: string, reason: string): string => (answer === "" && reason === "" ? "" : `${answer} ${reason}`);

/** Questions by the ids of their fields, with their numbers in the list. */
export function questionsByField(rules: QuestionsOfRule[]): Map<string, { number: number; rule: string }> {
  const fields = new Map<string, { number: number; rule: string }>();
  for (const { ruleId, title, questions } of rules) {
    for (const [index, { fingerprint }] of questions.entries()) {
      for (const idOf of [answerField, reasonField]) fields.set(idOf({ ruleId, fingerprint }), { number: index + 1, rule: title.text });
    }
  }
  return fields;
}
