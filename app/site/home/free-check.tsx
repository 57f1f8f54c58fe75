import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import type { WelcomeTexts } from "./welcome.server";

/** Limits of an automatic check of one page, explained before a visitor relies on it. */
export function FreeCheck({ texts }: { texts: WelcomeTexts["free"] }) {
  const { t } = useTranslation("home");
  return (
    <section className="band" aria-labelledby="free-check">
      <div className="wrap">
        <h2 id="free-check">{texts.heading}</h2>
        <div className="columns-2">
          <div>
            <h3>{texts.does}</h3>
            <ul className="marked">
              {texts.doesList.map((text) => (
                <li key={text}>
                  <Icon name="check" />
                  <span>{text}</span>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h3>{texts.doesNot}</h3>
            <ul className="marked marked-not">
              {texts.doesNotList.map((text) => (
                <li key={text}>
                  <Icon name="minor" />
                  <span>{text}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
        <p className="prose-line">
          {t("limits.law")} <Link to="/bfsg">{t("limits.lawLink")}</Link>
        </p>
      </div>
    </section>
  );
}
