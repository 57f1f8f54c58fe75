import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

/** What everybody must be able to do with their account, whether they have bought something or not. */
export function AccountLinks({ isHosted, sessions = true }: { isHosted: boolean; sessions?: boolean }) {
  const { t } = useTranslation("account");
  return (
    <ul className="link-list">
      {!isHosted && (
        <li>
          <Link to="/account/password">{t("password.title")}</Link>
        </li>
      )}
      {sessions && (
        <li>
          <Link to="/account/sessions">{t("sessions.title")}</Link>
        </li>
      )}
      <li>
        <a href="/account/export">
          {t("export.link")}
        </a>
      </li>
      <li>
        <Link to="/account/delete">{t("delete.title")}</Link>
      </li>
    </ul>
  );
}
