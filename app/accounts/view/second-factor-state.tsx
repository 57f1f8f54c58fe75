import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";

interface SecondFactorStateProps {
  /** Unix time in ms. */
  appSince: number;
  recoveryCodesLeft: number;
}

const FEW = 3;

/** A second factor that is on, and what can be done with it. */
export function SecondFactorState({ appSince, recoveryCodesLeft }: SecondFactorStateProps) {
  const { t } = useTranslation("factors");
  return (
    <article className="account-page wrap">
      <h1>{t("overview.heading")}</h1>
      <p>
        <span className="state state-good">
          <Icon name="check" /> {t("overview.on")}
        </span>{" "}
        {t("overview.since")} <LocalTime at={appSince} brief />
      </p>
      <p>{t("overview.left", { count: recoveryCodesLeft })}</p>
      {recoveryCodesLeft <= FEW && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("overview.few")}</span>
        </p>
      )}
      <ul className="link-list">
        <li>
          <Link to="/account/second-factor/recovery-codes">{t("codes.title")}</Link>
        </li>
        <li>
          <Link to="/account/second-factor/off">{t("off.title")}</Link>
        </li>
        <li>
          <Link to="/profile/general">{t("back")}</Link>
        </li>
      </ul>
    </article>
  );
}
