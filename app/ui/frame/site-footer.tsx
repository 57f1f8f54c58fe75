import { Link } from "@remix-run/react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLegal } from "~/legal/use-legal";
import { Icon } from "~/ui/icon";
import { LegalLink } from "~/legal/legal-link";
import { Logo } from "~/ui/logo";
import { useLanguagePath } from "~/ui/use-language-path";

/** @param version of the product; unknown on some error pages */
export function SiteFooter({ sourceUrl, version }: { sourceUrl: string; version?: string }) {
  const { t } = useTranslation();
  const languagePath = useLanguagePath();
  const { terms, withdrawal } = useLegal();
  return (
    <footer className="site-footer">
      <div className="wrap site-footer-columns">
        <div className="site-footer-brand">
          <Link className="brand" to="/" aria-label={t("nav.home")}>
            <Logo />
          </Link>
          <p>{t("footer.claim")}</p>
        </div>
        <Column heading={t("footer.resources")}>
          <li>
            <Link to="/bfsg">
              <abbr title={t("footer.bfsgLong")}>{t("footer.bfsg")}</abbr>
            </Link>
          </li>
          <li>
            <Link to="/eaa">
              <abbr title={t("footer.eaaLong")}>{t("footer.eaa")}</abbr>
            </Link>
          </li>
          <li>
            <Link to="/wcag">
              <abbr title={t("footer.wcagLong")}>{t("footer.wcag")}</abbr>
            </Link>
          </li>
          <li>
            <Link to="/rules">{t("footer.rules")}</Link>
          </li>
        </Column>
        <Column heading={t("footer.about")}>
          <li>
            <Link to="/sample">{t("footer.sample")}</Link>
          </li>
          <li>
            <Link to="/api">{t("footer.api")}</Link>
          </li>
          <li>
            <a href={sourceUrl}>{t("footer.source")}</a>
          </li>
          <li>
            <Link to={languagePath("/contact")}>{t("footer.contact")}</Link>
          </li>
        </Column>
        <Column heading={t("footer.legal")}>
          <li>
            <Link to={languagePath("/imprint")}>{t("footer.imprint")}</Link>
          </li>
          <li>
            <Link to={languagePath("/privacy")}>{t("footer.privacy")}</Link>
          </li>
          {terms && (
            <li>
              <LegalLink text="terms" href={terms} />
            </li>
          )}
          {withdrawal && (
            <li>
              <LegalLink text="withdrawal" href={withdrawal} />
            </li>
          )}
          <li>
            <Link to={languagePath("/accessibility")}>{t("footer.accessibility")}</Link>
          </li>
        </Column>
      </div>
      <div className="wrap site-footer-end">
        <p>
          {/* oxlint-disable-next-line react/purity -- the same for a year. */}
          {t("footer.copyright", { year: new Date().getFullYear() })} <Link to="/">{t("brand")}</Link>
          {version !== undefined && <> · {t("footer.version", { version })}</>}
        </p>
        <a className="icon-link" href={sourceUrl}>
          <Icon name="source" />
          <span className="visually-hidden">{t("footer.sourceIcon")}</span>
        </a>
      </div>
    </footer>
  );
}

function Column({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId();
  return (
    <div>
      <h2 id={id}>{heading}</h2>
      <ul aria-labelledby={id}>{children}</ul>
    </div>
  );
}
