import type { FormAnswer } from "~/platform/forms/form-answer";
import { ErrorSummary } from "./error-summary";

/** Errors or notice of a refused form. The `id` of a field is its name. */
export function AnswerSummary({ answer }: { answer: FormAnswer | undefined }) {
  const errors = answer?.errors.map(({ field, message }) => ({ fieldId: field, message })) ?? [];
  const notice = answer?.notice ? [{ message: answer.notice.text }] : [];
  return (
    <>
      <ErrorSummary errors={errors} answer={answer} />
      <ErrorSummary heading={answer?.notice?.heading} errors={notice} answer={answer} />
    </>
  );
}
