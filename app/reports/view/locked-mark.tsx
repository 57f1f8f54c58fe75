import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Mark of a rule whose elements need a larger plan. */
export function LockedMark() {
  const { t } = useTranslation("report");
  return (
    <span className="locked-mark">
      {" "}
      <Icon name="lock" size={16} /> {t("inPro.mark")}
    </span>
  );
}
