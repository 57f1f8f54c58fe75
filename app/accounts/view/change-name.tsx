import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { TextField } from "~/ui/form/text-field";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";

interface ChangeNameProps {
  name: string;
  /** Form input sent after the end of the session. */
  kept: Partial<Record<string, string>> | null;
  answer?: FormAnswer;
}

export function ChangeName({ name, kept, answer }: ChangeNameProps) {
  const { t } = useTranslation("account");
  return (
    <FormPage
      heading={t("name.heading")}
      lead={kept && !answer && <KeptNotice />}
      answer={answer}
      action="/profile/name"
      submit={t("save")}
      after={<Link to="/profile/general">{t("cancel")}</Link>}
    >
      <TextField
        id="name"
        name="name"
        label={t("field.name")}
        error={errorOf(answer, "name")}
        defaultValue={answer?.values.name ?? kept?.name ?? name}
        type="text"
        autoComplete="name"
        required
      />
    </FormPage>
  );
}
