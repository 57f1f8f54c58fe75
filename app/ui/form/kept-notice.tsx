import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/**
 * Notice: the session had ended when the form was sent.
 * @param isButton the form had only a button, so that nothing typed comes back
 */
export function KeptNotice({ isButton = false }: { isButton?: boolean }) {
  const { t } = useTranslation();
  return (
    <p className="notice" role="status">
      <Icon name="alert" />
      <span>{t(isButton ? "form.keptButton" : "form.kept")}</span>
    </p>
  );
}
