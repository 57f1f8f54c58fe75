import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

interface AccountLinksProps {
  isHosted: boolean;
  /** True on the profile page, which has its own sections for devices and programs. */
  isProfile?: boolean;
  /** True if there are repeated scans: they stay after the end of every purchase, with their stored access data. */
  hasSchedules: boolean;
}

/** Account actions that every user needs, with or without a purchase. */
export function AccountLinks({ isHosted, isProfile = false, hasSchedules }: AccountLinksProps) {
  const { t } = useTranslation("account");
  return (
    <ul className="link-list">
      {!isHosted && (
        <>
          <li>
            <Link to="/account/password">{t("password.title")}</Link>
          </li>
          <li>
            <Link to="/account/second-factor">{t("secondFactor.title")}</Link>
          </li>
        </>
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
      {hasSchedules && (
        <li>
          <Link to="/runs/schedules">{t("profile.schedules")}</Link>
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
