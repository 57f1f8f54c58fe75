import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextArea } from "~/ui/form/text-area";
import { TextField } from "~/ui/form/text-field";
import { LOCALES } from "~/platform/i18n/i18n";
import { languageName } from "~/platform/i18n/language-name";
import type { StatementAnswers } from "./document";

interface StatementFormProps {
  path: string;
  /** Typed values by the names of the fields. */
  typed: Partial<Record<keyof StatementAnswers, string>>;
  problems: { field: keyof StatementAnswers; message: string }[];
}

/** Facts that only the service provider knows. */
export function StatementForm({ path, typed, problems }: StatementFormProps) {
  const { t, i18n } = useTranslation("statement");
  const field = (name: keyof StatementAnswers) => ({
    id: name,
    name,
    label: t(`field.${name}`),
    error: problems.find((problem) => problem.field === name)?.message,
    defaultValue: typed[name],
  });
  return (
    <Form className="form statement-form" method="get" action={path} noValidate>
      <TextField {...field("service")} type="text" autoComplete="off" required />
      <TextArea {...field("operator")} hint={t("hint.operator")} rows={3} autoComplete="off" required />
      <TextArea {...field("contact")} hint={t("hint.contact")} rows={2} autoComplete="off" required />
      <TextArea {...field("description")} hint={t("hint.description")} rows={4} required />
      <TextArea {...field("use")} hint={t("hint.use")} rows={4} />
      <TextArea {...field("exceptions")} hint={t("hint.exceptions")} rows={3} />
      {/* A date field would not show an invalid date, nor a German one. */}
      <TextField {...field("date")} type={field("date").error || !/^(\d{4}-\d\d-\d\d)?$/.test(typed.date ?? "") ? "text" : "date"} required />
      <TextArea {...field("authority")} hint={t("hint.authority")} rows={2} />
      <RadioGroup
        id="language"
        name="language"
        legend={t("field.language")}
        error={field("language").error}
        defaultValue={typed.language ?? ""}
        choices={LOCALES.map((locale) => ({ value: locale, label: languageName(locale, i18n.language) }))}
      />
      <button className="button" type="submit">
        {t("submit")}
      </button>
    </Form>
  );
}
