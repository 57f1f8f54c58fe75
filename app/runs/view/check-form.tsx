import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SubmitButton } from "~/ui/form/submit-button";
import { TextField } from "~/ui/form/text-field";

interface CheckFormProps {
  /** Text typed before. */
  typed?: string;
  error?: string;
}

const CHECK_ACTION = "/?index";

/** Form of the free check, on the home page and on the page of a failed check. */
export function CheckForm({ typed, error }: CheckFormProps) {
  const { t } = useTranslation("home");
  return (
    <Form className="check-form" method="post" action={CHECK_ACTION} noValidate>
      <TextField
        id="url"
        name="url"
        label={t("form.label")}
        hint={t("form.hint")}
        error={error}
        defaultValue={typed}
        // Not type=url: browsers would refuse usual input, such as an address without https://.
        type="text"
        inputMode="url"
        autoComplete="url"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <SubmitButton label={t("form.submit")} busyLabel={t("form.submitting")} action={CHECK_ACTION} />
    </Form>
  );
}
