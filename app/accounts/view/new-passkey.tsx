import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "~/ui/form/text-field";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { PasskeyButton, PasskeysNeedScripts } from "./passkey-button";

interface NewPasskeyProps {
  action: string;
  /** Proposed name. */
  name: string;
  answer?: FormAnswer;
  /** Further fields. */
  children?: ReactNode;
}

/** Form for a new passkey; only its button submits it. */
export function NewPasskey({ action, name, answer, children }: NewPasskeyProps) {
  const { t } = useTranslation("factors");
  return (
    <Form className="form" method="post" action={action} noValidate>
      <PasskeysNeedScripts purpose="add" />
      <TextField
        id="name"
        name="name"
        label={t("passkeys.name")}
        hint={t("passkeys.nameHint")}
        error={errorOf(answer, "name")}
        defaultValue={name}
        autoComplete="off"
      />
      {children}
      <PasskeyButton purpose="add" label={t("passkeys.add")} />
    </Form>
  );
}
