import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FormAnswer } from "~/lib/form-answer";
import { ErrorSummary } from "./error-summary";
import { SubmitButton } from "./submit-button";

interface FormPageProps {
  heading: string;
  lead?: ReactNode;
  /** What an action had to complain about. */
  answer?: FormAnswer;
  /** The path the form posts to. */
  action: string;
  submit: string;
  /** Looks like what it is: something that cannot be undone. */
  danger?: boolean;
  children?: ReactNode;
  /** Other ways on. */
  after?: ReactNode;
}

/** A page that is one form. The `id` of a field is its name. */
export function FormPage({ heading, lead, answer, action, submit, danger, children, after }: FormPageProps) {
  const { t } = useTranslation();
  return (
    <article className="form-page wrap">
      {answer && answer.errors.length > 0 && (
        <ErrorSummary errors={answer.errors.map(({ field, message }) => ({ fieldId: field, message }))} />
      )}
      {answer?.notice && <ErrorSummary heading={answer.notice.heading} errors={[{ message: answer.notice.text }]} />}
      <h1>{heading}</h1>
      {lead && <div className="lead">{lead}</div>}
      <Form className={danger ? "form form-danger" : "form"} method="post" action={action} noValidate>
        {children}
        <SubmitButton label={submit} busyLabel={t("form.busy")} action={action} />
      </Form>
      {after && <div className="form-after">{after}</div>}
    </article>
  );
}
