import { createInstance, type i18n } from "i18next";
import { RemixI18Next } from "remix-i18next/server";
import deAccount from "locales/de/account.json";
import deBilling from "locales/de/billing.json";
import deCheck from "locales/de/check.json";
import deCommon from "locales/de/common.json";
import deContact from "locales/de/contact.json";
import deFixes from "locales/de/fixes.json";
import deHistory from "locales/de/history.json";
import deHome from "locales/de/home.json";
import deLaw from "locales/de/law.json";
import deReport from "locales/de/report.json";
import deReviews from "locales/de/reviews.json";
import deRuns from "locales/de/runs.json";
import deStatement from "locales/de/statement.json";
import deTokens from "locales/de/tokens.json";
import enAccount from "locales/en/account.json";
import enBilling from "locales/en/billing.json";
import enCheck from "locales/en/check.json";
import enCommon from "locales/en/common.json";
import enContact from "locales/en/contact.json";
import enFixes from "locales/en/fixes.json";
import enHistory from "locales/en/history.json";
import enHome from "locales/en/home.json";
import enLaw from "locales/en/law.json";
import enReport from "locales/en/report.json";
import enReviews from "locales/en/reviews.json";
import enRuns from "locales/en/runs.json";
import enStatement from "locales/en/statement.json";
import enTokens from "locales/en/tokens.json";
import { preferredLanguage } from "./accept-language";
import { readCookie } from "~/platform/http/cookies";
import { localeOfPath } from "./search-pages";
import { DEFAULT_LOCALE, i18nOptions, isLocale, LOCALES, type Locale } from "./i18n";

export const LOCALE_COOKIE = "locale";

const resources = {
  de: {
    account: deAccount,
    billing: deBilling,
    check: deCheck,
    common: deCommon,
    contact: deContact,
    fixes: deFixes,
    history: deHistory,
    home: deHome,
    law: deLaw,
    report: deReport,
    reviews: deReviews,
    runs: deRuns,
    statement: deStatement,
    tokens: deTokens,
  },
  en: {
    account: enAccount,
    billing: enBilling,
    check: enCheck,
    common: enCommon,
    contact: enContact,
    fixes: enFixes,
    history: enHistory,
    home: enHome,
    law: enLaw,
    report: enReport,
    reviews: enReviews,
    runs: enRuns,
    statement: enStatement,
    tokens: enTokens,
  },
};

/**
 * Finds a visitor's language: their cookie, else the browser's `Accept-Language`, else the language of the path, else
 * German. The visitor's choice comes before the path, because our links use one path for all languages; search engines
 * send no choice, and find each language at its own path.
 */
const i18nServer = new RemixI18Next({
  detection: {
    supportedLanguages: [...LOCALES],
    fallbackLanguage: DEFAULT_LOCALE,
    order: ["custom"],
    // A plain value rather than Remix' encoded one: people and tools can read and set it.
    findLocale: async (request) => {
      const chosen = readCookie(request, LOCALE_COOKIE);
      // remix-i18next's own parser of the header stops at the first existing language, even if we do not have it.
      if (isLocale(chosen)) return chosen;
      const wanted = preferredLanguage(request.headers.get("Accept-Language"), LOCALES);
      return wanted ?? localeOfPath(new URL(request.url).pathname);
    },
  },
});

const instances = new Map<Locale, i18n>();

/** i18next instance of one language; made once, never switched to another language. */
export function textsOf(locale: Locale): i18n {
  let instance = instances.get(locale);
  if (!instance) {
    instance = createInstance({ ...i18nOptions, lng: locale, resources, initImmediate: false });
    void instance.init();
    instances.set(locale, instance);
  }
  return instance;
}

/** The language of a request. */
export async function localeOf(request: Request): Promise<Locale> {
  return (await i18nServer.getLocale(request)) as Locale;
}
