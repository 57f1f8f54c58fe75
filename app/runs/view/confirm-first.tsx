import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

/** Notice that scans begin only after the address is confirmed. */
export function ConfirmFirst() {
  const { t } = useTranslation("runs");
  return (
    <p className="notice">
      <Icon name="alert" />
      <span>
        {t("confirmFirst")} <Link to="/account/verify">{t("confirmNow")}</Link>
      </span>
    </p>
  );
}
