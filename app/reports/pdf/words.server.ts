import type { TFunction } from "i18next";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile, type TextFiles } from "~/platform/i18n/text-files.server";
import { textsOf } from "~/platform/i18n/i18n.server";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

type Texts = TextFiles["pdf"];

/** Text by number, in the classes of `Intl.PluralRules` for its language. */
export type ByNumber = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Words of a report in one language. */
export interface Words {
  locale: Locale;
  texts: Texts;
  /** Texts shared with the pages of the application. */
  t: TFunction<["check", "common", "fixes", "report"]>;
  fill(text: string, values: Record<string, string>): string;
  /** Text for a number of things, with `{{count}}` filled in. */
  count(text: ByNumber, count: number, values?: Record<string, string>): string;
  number(value: number): string;
  /** @param at Unix time in ms */
  date(at: number): string;
}

const words = new Map<Locale, Words>();

/** Words of a language, cached. */
export function wordsOf(locale: Locale): Words {
  const known = words.get(locale);
  if (known) return known;
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE });
  const { services } = textsOf(locale);
  const fill: Words["fill"] = (text, values) => services.interpolator.interpolate(text, values, locale, {});
  const made: Words = {
    locale,
    texts: textFile(locale, "pdf"),
    t: textsOf(locale).getFixedT(null, ["check", "common", "fixes", "report"]),
    fill,
    count: (text, count, values = {}) =>
      fill(text[plurals.select(count)] ?? text.other, { count: numbers.format(count), ...values }),
    number: (value) => numbers.format(value),
    date: (at) => dates.format(at),
  };
  words.set(locale, made);
  return made;
}
