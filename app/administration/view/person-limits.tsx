import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { TextField } from "~/ui/form/text-field";

interface PersonLimitsProps {
  path: string;
  /** Limits of this account; null: the limits of the installation. */
  mostWaiting: number | null;
  mostPages: number | null;
  /** Limits of the installation. */
  usual: { waiting: number; pages: number };
  answer?: FormAnswer;
  /** Previously typed values. */
  values: Partial<Record<string, string>>;
}

/** Limits of one account, instead of those of the installation. */
export function PersonLimits({ path, mostWaiting, mostPages, usual, answer, values }: PersonLimitsProps) {
  const { t, i18n } = useTranslation("admin");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section aria-labelledby="limits-heading">
      <h2 id="limits-heading">{t("limits.heading")}</h2>
      <Form className="form" method="post" action={path} noValidate key={`${mostWaiting} ${mostPages}`}>
        <TextField
          id="waiting"
          name="waiting"
          label={t("limits.waiting")}
          hint={t("limits.usual", { usual: number.format(usual.waiting) })}
          error={errorOf(answer, "waiting")}
          defaultValue={values.waiting ?? mostWaiting ?? ""}
          type="text"
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          id="pages"
          name="pages"
          label={t("limits.pages")}
          hint={t("limits.usual", { usual: number.format(usual.pages) })}
          error={errorOf(answer, "pages")}
          defaultValue={values.pages ?? mostPages ?? ""}
          type="text"
          inputMode="numeric"
          autoComplete="off"
        />
        <button className="button button-quiet" type="submit" name="do" value="limit">
          {t("limits.save")}
        </button>
      </Form>
    </section>
  );
}
