import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon, ICON_NAMES } from "~/ui/icon";
import { Logo } from "~/ui/logo";
import { Specimen } from "./specimen";

/** Type, links, buttons, icons. */
export function Basics() {
  const { t } = useTranslation(["common", "home", "law", "check", "billing"]);
  return (
    <>
      <Specimen of="h1–h4, .lead, p, .hint, a, code">
        <h1>{t("home:hero.heading")}</h1>
        <p className="lead">{t("home:hero.lead")}</p>
        <h2>{t("law:bfsg.heading")}</h2>
        <p className="prose-line">
          {t("law:bfsg.lead")} <a href="/bfsg">{t("home:limits.lawLink")}</a>
        </p>
        <h3>{t("check:limits.heading")}</h3>
        <p className="prose-line">{t("check:limits.text")}</p>
        <ul>
          {t("check:limits.questions", { returnObjects: true }).map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
        <h4>{t("check:checked.heading")}</h4>
        <p>
          <code translate="no">npm start</code>
        </p>
        <p className="hint">{t("home:statistics.definition")}</p>
      </Specimen>

      <Specimen of=".button, .button-quiet, .form-danger, .link-list">
        <p className="error-ways">
          <button className="button" type="button">
            {t("home:form.submit")}
          </button>
          <button className="button button-quiet" type="button">
            {t("errors.retry")}
          </button>
          <button className="button" type="button" aria-disabled>
            {t("form.busy")}
          </button>
          <Link className="button" to="/sample">
            <Icon name="external" />
            {t("check:locked.unlock")}
          </Link>
        </p>
        <div className="form form-danger">
          <button className="button" type="button">
            {t("billing:urls.remove")}
          </button>
        </div>
        <ul className="link-list">
          <li>
            <a href="/wcag" hrefLang="en">
              WCAG 2.2
              <Icon name="external" size={16} />
            </a>
          </li>
        </ul>
      </Specimen>

      <Specimen of="logo, icon">
        <p>
          <Logo />
        </p>
        <ul className="trend-legend">
          {ICON_NAMES.map((name) => (
            <li key={name}>
              <Icon name={name} /> <code translate="no">{name}</code>
            </li>
          ))}
        </ul>
      </Specimen>
    </>
  );
}
