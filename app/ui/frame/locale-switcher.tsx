import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { languageName } from "~/platform/i18n/language-name";
import { SettingForm } from "./setting-form";

/** Choice of language; each language has its own name for itself. */
export function LocaleSwitcher({ current }: { current: Locale }) {
  const { t } = useTranslation();
  return (
    <SettingForm action="/locale" label={t("locale.label")}>
      {LOCALES.map((locale) => (
        <Fragment key={locale}>
          {" "}
          <button type="submit" name="locale" value={locale} lang={locale} aria-pressed={locale === current}>
            {languageName(locale, locale)}
          </button>
        </Fragment>
      ))}
    </SettingForm>
  );
}
