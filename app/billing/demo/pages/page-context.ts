import { preferredLanguage } from "~/platform/i18n/accept-language";
import { colorSchemeOf, type ColorScheme } from "~/platform/http/color-scheme";
import { readCookie } from "~/platform/http/cookies";
import { withValues } from "~/platform/i18n/i18n.server";
import { textFile, type TextFiles } from "~/platform/i18n/text-files.server";
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "~/platform/i18n/i18n";

export type Texts = TextFiles["cashier"];

/** Language, colour scheme and formats of a page. */
export interface PageContext {
  locale: Locale;
  scheme: ColorScheme;
  t: Texts;
  /** @param amount in the smallest unit of the currency */
  money(amount: number, currency: string): string;
  /** Amount for each period of a price; `interval` as at Stripe. */
  moneyPer(amount: number, currency: string, interval?: string): string;
  /** @param time Unix time in seconds */
  date(time: number): string;
  period(start: number, end: number): string;
  status(word: string | null): string;
}

/**
 * Language: the application's cookie, otherwise the language requested by the shop, otherwise the browser's. Colour scheme: the
 * application's cookie.
 */
export function pageContext(headers: { cookie?: string; "accept-language"?: string }, wished: string | null = null): PageContext {
  const request = new Request("http://cashier", { headers: headers.cookie ? { Cookie: headers.cookie } : {} });
  const chosen = readCookie(request, "locale");
  const asked = preferredLanguage(headers["accept-language"] ?? null, LOCALES);
  const locale = [chosen, wished, asked].find(isLocale) ?? DEFAULT_LOCALE;
  const t = textFile(locale, "cashier");
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const date = (time: number) => days.format(time * 1000);
  const money = (amount: number, currency: string) => {
    const format = new Intl.NumberFormat(locale, { style: "currency", currency });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  };
  return {
    locale,
    scheme: colorSchemeOf(request),
    t,
    money,
    moneyPer: (amount, currency, interval) =>
      withValues(t.pay.perInterval, { amount: money(amount, currency), interval: interval === "year" ? t.interval.year : t.interval.month }),
    date,
    period: (start, end) => withValues(t.portal.until, { start: date(start), end: date(end) }),
    status: (word) => t.status[(word ?? "other") as keyof Texts["status"]] ?? t.status.other,
  };
}
