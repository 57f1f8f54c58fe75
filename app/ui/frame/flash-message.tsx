import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import type { Flash } from "~/platform/http/flash";

/** Result message of the last action, on the next page. */
export function FlashMessage({ text, kind, values }: Flash) {
  const { t } = useTranslation();
  return (
    <div className="wrap">
      <p className={kind === "done" ? "flash flash-done" : "flash"}>
        <Icon name={kind === "done" ? "check" : "alert"} />
        <span>{t(`flash.${text}`, { ...values })}</span>
      </p>
    </div>
  );
}
