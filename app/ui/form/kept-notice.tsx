import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** The form was sent when nobody was signed in any more. */
export function KeptNotice() {
  const { t } = useTranslation();
  return (
    <p className="notice" role="status">
      <Icon name="alert" />
      <span>{t("form.kept")}</span>
    </p>
  );
}
