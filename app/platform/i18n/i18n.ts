/** All languages; the first one is for visitors who ask for none of them. */
export const LOCALES = ["de", "en"] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = "de";

/** Language for texts that another language lacks (such a gap fails the tests). */
export const FALLBACK_LOCALE: Locale = "en";

/** Namespaces that the browser may load; the others are used on the server only. */
export const NAMESPACES = [
  ...(["common", "home", "check", "account", "billing", "runs", "report", "fixes"] as const),
  ...(["acceptance", "history", "reviews", "tokens", "contact", "law", "statement", "rulebook", "websites", "factors", "admin"] as const),
] as const;
export const DEFAULT_NAMESPACE = "common";

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}

/** i18next options that server and browser share. */
export const i18nOptions = {
  supportedLngs: LOCALES,
  fallbackLng: FALLBACK_LOCALE,
  defaultNS: DEFAULT_NAMESPACE,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
};
