import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";

interface SecondFactorStateProps {
  /** Unix time in ms; null without an app. */
  appSince: number | null;
  passkeys: number;
  recoveryCodesLeft: number;
}

const FEW = 3;

/** Parts of an active second factor. */
export function SecondFactorState({ appSince, passkeys, recoveryCodesLeft }: SecondFactorStateProps) {
  const { t } = useTranslation("factors");
  return (
    <>
      <p>
        <span className="state state-good">
          <Icon name="check" /> {t("overview.on")}
        </span>
      </p>
      {appSince !== null && (
        <p>
          {t("overview.appSince")} <LocalTime at={appSince} brief />
        </p>
      )}
      {passkeys > 0 && <p>{t("overview.passkeys", { count: passkeys })}</p>}
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
      </ul>
    </>
  );
}
