import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PasswordField } from "~/ui/form/password-field";
import { TextField } from "~/ui/form/text-field";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";

interface CodeFieldProps {
  /** Asks for a recovery code instead of a code of the app; the server accepts both. */
  withRecovery: boolean;
  answer?: FormAnswer;
}

/** May be pasted, and is offered by phones that know the code. */
export function CodeField({ withRecovery, answer }: CodeFieldProps) {
  const { t } = useTranslation("factors");
  const kind = withRecovery ? "recoveryCode" : "code";
  return (
    <TextField
      id="code"
      name="code"
      label={t(`field.${kind}`)}
      hint={t(`field.${kind}Hint`)}
      error={errorOf(answer, "code")}
      type="text"
      inputMode={withRecovery ? "text" : "numeric"}
      autoComplete={withRecovery ? "off" : "one-time-code"}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
    />
  );
}

/** Leads to the same page with the other kind of code. */
export function OtherCode({ withRecovery, path }: { withRecovery: boolean; path: string }) {
  const { t } = useTranslation("factors");
  if (withRecovery) return <Link to={path}>{t("withApp")}</Link>;
  return <Link to={`${path}${path.includes("?") ? "&" : "?"}with=recovery`}>{t("withRecovery")}</Link>;
}

/** Where the last sign-in is too long ago. */
export function OwnPassword({ asked, answer }: { asked: boolean; answer?: FormAnswer }) {
  const { t } = useTranslation(["factors", "account"]);
  const error = errorOf(answer, "currentPassword");
  if (!asked && !error) return null;
  return (
    <PasswordField
      id="currentPassword"
      name="currentPassword"
      label={t("account:field.currentPassword")}
      hint={t("field.passwordHint")}
      error={error}
      autoComplete="current-password"
    />
  );
}
