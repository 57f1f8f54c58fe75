import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Notice: the session had ended when the form was sent. */
export function KeptNotice() {
  const { t } = useTranslation();
  return (
    <p className="notice" role="status">
      <Icon name="alert" />
      <span>{t("form.kept")}</span>
    </p>
  );
}
