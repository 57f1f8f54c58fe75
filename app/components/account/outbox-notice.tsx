import { useTranslation } from "react-i18next";
import { Icon } from "~/components/icon";

/** Where mails are, on an installation that sends none. */
export function OutboxNotice({ folder }: { folder: string | null }) {
  const { t } = useTranslation("account");
  if (folder === null) return null;
  return (
    <p className="notice">
      <Icon name="alert" />
      <span>
        {t("outbox.before")} <code>{folder}</code> {t("outbox.after")}
      </span>
    </p>
  );
}
