import { createInstance, type i18n } from "i18next";
import { RemixI18Next } from "remix-i18next/server";
import { preferredLanguage } from "./accept-language";
import { readCookie } from "~/platform/http/cookies";
import { localeOfPath } from "./search-pages";
import { DEFAULT_LOCALE, i18nOptions, isLocale, LOCALES, type Locale } from "./i18n";
import { resources } from "./text-files.server";

export const LOCALE_COOKIE = "locale";

/**
 * Language of a visitor: from the cookie, else from the browser's `Accept-Language`, else from the path, else German.
 * The visitor's choice comes before the path, because our links use one path for all languages. Search engines send no
 * choice, and find each language at its own path.
 */
const i18nServer = new RemixI18Next({
  detection: {
    supportedLanguages: [...LOCALES],
    fallbackLanguage: DEFAULT_LOCALE,
    order: ["custom"],
    // Plain cookie value, without Remix' encoding: people and tools can read and set it.
    findLocale: async (request) => {
      const chosen = readCookie(request, LOCALE_COOKIE);
      // Own parser: that of remix-i18next stops at the first language of the header, even if we do not have it.
      if (isLocale(chosen)) return chosen;
      const wanted = preferredLanguage(request.headers.get("Accept-Language"), LOCALES);
      return wanted ?? localeOfPath(new URL(request.url).pathname);
    },
  },
});

const instances = new Map<Locale, i18n>();

/** i18next instance of one language: created once, never switched to another language. */
export function textsOf(locale: Locale): i18n {
  let instance = instances.get(locale);
  if (!instance) {
    instance = createInstance({ ...i18nOptions, lng: locale, resources, initImmediate: false });
    void instance.init();
    instances.set(locale, instance);
  }
  return instance;
}

/** Replaces the placeholders in a text of a structure (`textFile`), as i18next does in its own texts. */
export function withValues(text: string, values: { [name: string]: string | number | undefined }): string {
  const { services, options } = textsOf(DEFAULT_LOCALE);
  return services.interpolator.interpolate(text, values, DEFAULT_LOCALE, options.interpolation ?? {});
}

/** The language of a request. */
export async function localeOf(request: Request): Promise<Locale> {
  return (await i18nServer.getLocale(request)) as Locale;
}
