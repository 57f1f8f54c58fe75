import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface AccountLinksProps {
  isHosted: boolean;
  /** True on the profile, which has its own sections for devices and programs. */
  isProfile?: boolean;
}

/** Account actions that every user needs, with or without a purchase. */
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
