import { Form } from "@remix-run/react";
import { useContext, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DialogContext } from "~/ui/dialog/dialog-context";
import { PageHeading } from "~/ui/dialog/page-heading";
import type { FormAnswer } from "~/platform/forms/form-answer";
import { AnswerSummary } from "./answer-summary";
import { SubmitButton } from "./submit-button";

interface FormPageProps {
  heading: string;
  lead?: ReactNode;
  /** The action's error messages. */
  answer?: FormAnswer;
  /** The path the form posts to. */
  action: string;
  submit: string;
  /** Warning style: the action cannot be undone. */
  danger?: boolean;
  children?: ReactNode;
  /** Alternative links. */
  after?: ReactNode;
}

/** A form as a page, or in a dialog. The `id` of a field is its name. */
export function FormPage({ heading, lead, answer, action, submit, danger, children, after }: FormPageProps) {
  const { t } = useTranslation();
  const dialog = useContext(DialogContext);
  const SendingForm = dialog ? dialog.sender.Form : Form;
  return (
    <article className="form-page wrap">
      <AnswerSummary answer={answer} />
      <PageHeading>{heading}</PageHeading>
      {lead && <div className="lead">{lead}</div>}
      <SendingForm className={danger ? "form form-danger" : "form"} method="post" action={action} noValidate>
        {children}
        <SubmitButton label={submit} busyLabel={t("form.busy")} action={action} />
      </SendingForm>
      {after && <div className="form-after">{after}</div>}
    </article>
  );
}
