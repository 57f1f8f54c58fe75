import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface AccountLinksProps {
  isHosted: boolean;
  /** Where devices and programs have sections of their own. */
  isProfile?: boolean;
}

/** What everybody must be able to do with their account, whether they have bought something or not. */
export function AccountLinks({ isHosted, isProfile = false }: AccountLinksProps) {
  const { t } = useTranslation("account");
  return (
    <ul className="link-list">
      {!isHosted && (
        <li>
          <Link to="/account/password">{t("password.title")}</Link>
        </li>
      )}
      {!isProfile && (
        <>
          <li>
            <Link to="/account/sessions">{t("sessions.title")}</Link>
          </li>
          <li>
            <Link to="/profile/tokens">{t("profile.tokens")}</Link>
          </li>
        </>
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
