import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Notice about the folder with the mails, if the installation sends none. */
export function OutboxNotice({ shown }: { shown: boolean }) {
  const { t } = useTranslation("account");
  if (!shown) return null;
  return (
    <p className="notice">
      <Icon name="alert" />
      <span>
        {t("outbox.before")} <code>outbox</code> {t("outbox.after")}
      </span>
    </p>
  );
}
