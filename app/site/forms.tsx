import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OutboxNotice } from "~/accounts/view/outbox-notice";
import { CheckForm } from "~/runs/view/check-form";
import { Checkbox } from "~/ui/form/checkbox";
import { ErrorSummary } from "~/ui/form/error-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PasswordField } from "~/ui/form/password-field";
import { RadioGroup } from "~/ui/form/radio-group";
import { SelectField } from "~/ui/form/select-field";
import { SubmitButton } from "~/ui/form/submit-button";
import { TextArea } from "~/ui/form/text-area";
import { TextField } from "~/ui/form/text-field";
import { FlashMessage } from "~/ui/frame/flash-message";
import { Specimen } from "./specimen";

const PATH = "/style";

/** Forms before sending and after a refusal, and the messages that answer them. */
export function Forms() {
  const { t } = useTranslation(["common", "contact"]);
  return (
    <>
      <Specimen of="form/*">
        <Fields prefix="asked" />
      </Specimen>
      <Specimen of="form/error-summary, form/field-error">
        <ErrorSummary
          errors={[
            { fieldId: "refused-email", message: t("contact:problem.email_invalid") },
            { fieldId: "refused-message", message: t("contact:problem.message_missing") },
          ]}
        />
        <Fields prefix="refused" />
      </Specimen>
      <Specimen of="check-form">
        <CheckForm typed="www.example.org" />
      </Specimen>
      <Specimen of=".notice, form/kept-notice, account/outbox-notice">
        <p className="notice">{t("contact:nobody")}</p>
        <KeptNotice />
        <OutboxNotice shown />
      </Specimen>
      <Specimen of="frame/flash-message">
        <FlashMessage kind="done" text="passwordChanged" />
        <FlashMessage kind="problem" text="printerBusy" />
      </Specimen>
    </>
  );
}

function Fields({ prefix }: { prefix: "asked" | "refused" }) {
  const { t } = useTranslation(["common", "contact", "account", "history", "runs"]);
  const error = (message: string) => (prefix === "refused" ? message : undefined);
  const id = (name: string) => `${prefix}-${name}`;
  return (
    <Form className="form" method="get" action={PATH} noValidate>
      <TextField
        id={id("email")}
        name="email"
        label={t("contact:field.email")}
        hint={t("contact:hint.email")}
        error={error(t("contact:problem.email_invalid"))}
        defaultValue={prefix === "refused" ? "erika.example.org" : undefined}
      />
      <PasswordField
        id={id("password")}
        name="password"
        label={t("account:field.password")}
        hint={t("account:register.passwordHint")}
        error={error(t("account:problem.password_short"))}
        autoComplete="new-password"
      />
      <TextArea
        id={id("message")}
        name="message"
        rows={3}
        label={t("contact:field.message")}
        hint={t("contact:hint.message")}
        error={error(t("contact:problem.message_missing"))}
      />
      <SelectField
        id={id("days")}
        name="days"
        label={t("history:share.days")}
        options={[7, 30, 90].map((count) => ({ value: String(count), label: t("history:share.forDays", { count }) }))}
      />
      <RadioGroup
        id={id("scope")}
        name="scope"
        legend={t("runs:new.scope")}
        defaultValue="page"
        error={error(t("runs:problem.scope_unknown"))}
        choices={[
          { value: "page", label: t("runs:scope.page"), hint: t("runs:new.pageHint") },
          { value: "site", label: t("runs:scope.site"), hint: t("runs:new.siteHint", { count: 200 }) },
        ]}
      />
      <Checkbox
        id={id("confirmed")}
        name="confirmed"
        value="yes"
        label={t("account:delete.confirm")}
        error={error(t("account:problem.not_confirmed"))}
      />
      <SubmitButton label={t("contact:submit")} busyLabel={t("form.busy")} action={PATH} />
    </Form>
  );
}
