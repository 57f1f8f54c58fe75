/** All languages; the first one is the default. */
export const LOCALES = ["de", "en"] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = "de";

/** Language for texts that are missing in another language (a missing text fails the tests). */
export const FALLBACK_LOCALE: Locale = "en";

/** Namespaces for the browser; the others are used on the server only. */
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
  // No escaping: React does it.
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
};
