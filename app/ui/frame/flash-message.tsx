import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import type { Flash } from "~/platform/http/flash";

/** What has just been done, on the page that it led to. */
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
