import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { TextField } from "~/ui/form/text-field";

export const ACCESS_FIELDS = ["accessUser", "accessPassword", "accessCookie"];

interface AccessFieldsProps {
  user: string | undefined;
  errorOf: (field: string) => string | undefined;
  /** True if secrets were typed, and have to be typed again. */
  again: boolean;
}

/** Form fields for the access to a site that is not public. */
export function AccessFields({ user, errorOf, again }: AccessFieldsProps) {
  const { t } = useTranslation("runs");
  return (
    <>
      {again && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("new.accessAgain")}</span>
        </p>
      )}
      <TextField
        id="accessUser"
        name="accessUser"
        label={t("new.accessUser")}
        error={errorOf("accessUser")}
        defaultValue={user}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        id="accessPassword"
        name="accessPassword"
        label={t("new.accessPassword")}
        error={errorOf("accessPassword")}
        type="password"
        autoComplete="new-password"
      />
      <TextField
        id="accessCookie"
        name="accessCookie"
        label={t("new.accessCookie")}
        hint={t("new.accessCookieHint")}
        error={errorOf("accessCookie")}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  );
}
