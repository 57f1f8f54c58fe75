import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Tells where mails are stored if the installation sends none. */
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
