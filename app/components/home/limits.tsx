import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

/** What to expect of an automated check; said before anybody relies on one. */
export function Limits() {
  const { t } = useTranslation("home");
  return (
    <section className="band" aria-labelledby="limits">
      <div className="wrap columns-2">
        <h2 id="limits">{t("limits.heading")}</h2>
        <div className="prose">
          <p>{t("limits.text")}</p>
          <p>
            {t("limits.law")} <Link to="/bfsg">{t("limits.lawLink")}</Link>
          </p>
        </div>
      </div>
    </section>
  );
}
