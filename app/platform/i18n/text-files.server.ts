import type { Resource } from "i18next";
import type * as english from "locales/en";
import { FALLBACK_LOCALE, LOCALES, type Locale } from "./i18n";

/** All text files by name, with the structure of the English ones. */
export type TextFiles = typeof english;

/** Files of one language; gaps are filled in English. */
type Language = Partial<TextFiles> & {
  axeCore?: unknown;
};

const languages: Partial<Record<Locale, Language>> = {};
for (const locale of LOCALES) {
  languages[locale] = (await import(`../../../locales/${locale}/index.ts`)) as Language;
}

/** Texts by language and file name, in the format of i18next. */
export const resources: Resource = languages as Resource;

/** Texts of a file with a structure (lists, sections, letters), in one language. */
export function textFile<Name extends keyof TextFiles>(locale: Locale, name: Name): TextFiles[Name] {
  return (languages[locale]?.[name] ?? languages[FALLBACK_LOCALE]?.[name]) as TextFiles[Name];
}

/** axe-core's own translation of its messages, if there is one. */
export const axeTexts = (locale: Locale): unknown => languages[locale]?.axeCore;
