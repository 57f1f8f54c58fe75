import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PasswordField } from "~/ui/form/password-field";
import { TextField } from "~/ui/form/text-field";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { PasskeyButton } from "./passkey-button";

/** Second factors that a page can request. */
export interface AskedFactors {
  app: boolean;
  passkey: boolean;
  /** True to request a recovery code instead of a code of the app; the server accepts both. */
  recovery: boolean;
}

interface CodeFieldProps {
  recovery: boolean;
  answer?: FormAnswer;
}

/** Field for a code, with paste and autofill: phones can fill in the code. */
export function CodeField({ recovery, answer }: CodeFieldProps) {
  const { t } = useTranslation("factors");
  const kind = recovery ? "recoveryCode" : "code";
  return (
    <TextField
      id="code"
      name="code"
      label={t(`field.${kind}`)}
      hint={t(`field.${kind}Hint`)}
      error={errorOf(answer, "code")}
      type="text"
      inputMode={recovery ? "text" : "numeric"}
      autoComplete={recovery ? "off" : "one-time-code"}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
    />
  );
}

interface FactorFieldProps {
  factors: AskedFactors;
  purpose: "use" | "sign_in";
  answer?: FormAnswer;
}

/** Button for a passkey, and field for a code. */
export function FactorField({ factors: { app, passkey, recovery }, purpose, answer }: FactorFieldProps) {
  const { t } = useTranslation("factors");
  return (
    <>
      {passkey && <PasskeyButton purpose={purpose} label={t("passkeys.use")} />}
      <CodeField recovery={recovery || !app} answer={answer} />
    </>
  );
}

/** Link to the same page with the other kind of code. */
export function OtherCode({ factors: { app, recovery }, path }: { factors: AskedFactors; path: string }) {
  const { t } = useTranslation("factors");
  if (!app) return null;
  return (
    <p>
      {recovery ? (
        <Link to={path}>{t("withApp")}</Link>
      ) : (
        <Link to={`${path}${path.includes("?") ? "&" : "?"}with=recovery`}>{t("withRecovery")}</Link>
      )}
    </p>
  );
}

/** Password field, if the last sign-in is too long ago. */
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
