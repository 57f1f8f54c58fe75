import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ColorScheme } from "~/platform/http/color-scheme";
import type { Locale } from "~/platform/i18n/i18n";
import { Icon } from "~/ui/icon";
import { Logo } from "~/ui/logo";
import { useChange } from "~/ui/use-change";
import { useLanguagePath } from "~/ui/use-language-path";
import { ColorSchemeSwitcher } from "./color-scheme-switcher";
import { LocaleSwitcher } from "./locale-switcher";

interface SettingsProps {
  locale: Locale;
  colorScheme: ColorScheme;
}

interface SiteHeaderProps extends SettingsProps {
  signedIn: boolean;
  /** Whether the user is an administrator of this installation. */
  administers: boolean;
  /** Whether plans are for sale. */
  selling: boolean;
  /** Whether visitors may create an account. */
  registering: boolean;
}

/** Skip link, logo, navigation and settings; on small screens, navigation and settings are in a menu without scripts. */
export function SiteHeader({ signedIn, administers, selling, registering, ...settings }: SiteHeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="site-header">
      <div className="wrap site-header-row">
        <a className="skip-link" href="#main">
          {t("skip")}
        </a>{" "}
        <Link className="brand" to="/" aria-label={t("nav.home")}>
          <Logo />
        </Link>{" "}
        <MenuToggle {...settings} />
        <div className="menu-panel">
          {signedIn ? <SignedInNavigation administers={administers} /> : <Navigation selling={selling} registering={registering} />}
          <Settings {...settings} />
        </div>
      </div>
    </header>
  );
}

function Navigation({ selling, registering }: Pick<SiteHeaderProps, "selling" | "registering">) {
  const { t } = useTranslation();
  const languagePath = useLanguagePath();
  return (
    <nav className="site-nav" aria-label={t("nav.label")}>
      <ul>
        <li>
          <NavLink to="/" end>
            {t("nav.testing")}
          </NavLink>
        </li>
        {selling && (
          <li>
            <Link to="/#pricing">{t("nav.pricing")}</Link>
          </li>
        )}
        <li>
          <NavLink to={languagePath("/contact")}>{t("nav.contact")}</NavLink>
        </li>
        <li>
          <NavLink to="/login">{t("nav.login")}</NavLink>
        </li>
        {registering && (
          <li>
            <NavLink className="button button-quiet" to="/register">
              {t("nav.register")}
            </NavLink>
          </li>
        )}
      </ul>
    </nav>
  );
}

function SignedInNavigation({ administers }: { administers: boolean }) {
  const { t } = useTranslation();
  return (
    <nav className="site-nav" aria-label={t("nav.label")}>
      <ul>
        <li>
          <NavLink to="/websites">{t("nav.websites")}</NavLink>
        </li>
        <li>
          <NavLink to="/runs">{t("nav.runs")}</NavLink>
        </li>
        <li>
          <NavLink to="/profile/general">
            <Icon name="user" />
            {t("nav.profile")}
          </NavLink>
        </li>
        {administers && (
          <li>
            <NavLink to="/admin">{t("nav.administration")}</NavLink>
          </li>
        )}
        <li>
          <Form method="post" action="/logout">
            <button type="submit">
              <Icon name="logout" />
              {t("nav.logout")}
            </button>
          </Form>
        </li>
      </ul>
    </nav>
  );
}

function Settings({ locale, colorScheme }: SettingsProps) {
  return (
    <div className="site-settings">
      <LocaleSwitcher current={locale} />
      <ColorSchemeSwitcher current={colorScheme} />
    </div>
  );
}

/**
 * The panel is beside the `<details>`, not in it, so that one navigation serves every width: style sheets cannot open a
 * closed `<details>`, but they can hide the element after it.
 */
function MenuToggle({ locale }: SettingsProps) {
  const { t } = useTranslation();
  // `key` also changes when a link leads to the current address.
  const { key } = useLocation();
  const menu = useClosingMenu(`${key} ${locale}`);
  return (
    <details className="menu-toggle" ref={menu}>
      <summary>
        <Icon name="menu" />
        {t("nav.menu")}
      </summary>
    </details>
  );
}

/** With scripts, the menu closes on Escape and when `visit` changes; focus inside returns to the menu's button. */
function useClosingMenu(visit: string) {
  const menu = useRef<HTMLDetailsElement>(null);

  useChange(visit, () => close(menu.current));

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close(menu.current);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return menu;
}

function close(menu: HTMLDetailsElement | null): void {
  if (!menu?.open) return;
  const focusWasInside = menu.nextElementSibling?.contains(document.activeElement);
  menu.open = false;
  if (focusWasInside) menu.querySelector("summary")?.focus();
}
