import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Error message of a field, directly above it. */
export function FieldError({ id, error }: { id: string; error: string }) {
  const { t } = useTranslation();
  return (
    <p className="field-error" id={id}>
      <Icon name="alert" />
      <span>
        <span className="visually-hidden">{t("form.errorPrefix")} </span>
        {error}
      </span>
    </p>
  );
}
