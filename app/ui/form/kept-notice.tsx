import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/**
 * Notice: the session had ended when the form was sent.
 * @param isButton the form had only a button, so that nothing typed comes back
 * @param isEmpty the fields of the form are empty again
 */
export function KeptNotice({ isButton = false, isEmpty = false }: { isButton?: boolean; isEmpty?: boolean }) {
  const { t } = useTranslation();
  return (
    <p className="notice" role="status">
      <Icon name="alert" />
      <span>{t(isButton ? "form.keptButton" : isEmpty ? "form.keptNothing" : "form.kept")}</span>
    </p>
  );
}
