import type { TFunction } from "i18next";
import german from "locales/de/pdf.json";
import english from "locales/en/pdf.json";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

type Texts = typeof english;
const TEXTS: Record<Locale, Texts> = { de: german, en: english };

/** A text by number, as `Intl.PluralRules` has it in both languages. */
export interface ByNumber {
  one: string;
  other: string;
}

/** The words of a report in one language. */
export interface Words {
  locale: Locale;
  texts: Texts;
  /** Texts shared with the pages of the application. */
  t: TFunction<["check", "common", "fixes", "report"]>;
  fill(text: string, values: Record<string, string>): string;
  /** The text for a number of things, with `{{count}}` filled in. */
  count(text: ByNumber, count: number, values?: Record<string, string>): string;
  number(value: number): string;
  /** @param at Unix time in ms */
  date(at: number): string;
}

const words = new Map<Locale, Words>();

/** Made once for each language. */
export function wordsOf(locale: Locale): Words {
  const known = words.get(locale);
  if (known) return known;
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE });
  const made: Words = {
    locale,
    texts: TEXTS[locale],
    t: textsOf(locale).getFixedT(null, ["check", "common", "fixes", "report"]),
    fill,
    count: (text, count, values = {}) =>
      fill(plurals.select(count) === "one" ? text.one : text.other, { count: numbers.format(count), ...values }),
    number: (value) => numbers.format(value),
    date: (at) => dates.format(at),
  };
  words.set(locale, made);
  return made;
}

/** Single pass: inserted values are not filled again. */
function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}
