import type { Resource } from "i18next";
import type * as english from "locales/en";
import { FALLBACK_LOCALE, LOCALES, type Locale } from "./i18n";

/** All text files by name, in the shape of the English ones. */
export type TextFiles = typeof english;

/** Files of one language; gaps are filled in English. */
type Language = Partial<TextFiles> & {
  axeCore?: unknown;
};

const languages: Partial<Record<Locale, Language>> = {};
for (const locale of LOCALES) {
  languages[locale] = (await import(`../../../locales/${locale}/index.ts`)) as Language;
}

/** By language and name of the file, as i18next takes them. */
export const resources: Resource = languages as Resource;

/** Texts of one file in one language, for texts that are structures: lists, sections, letters. */
export function textFile<Name extends keyof TextFiles>(locale: Locale, name: Name): TextFiles[Name] {
  return (languages[locale]?.[name] ?? languages[FALLBACK_LOCALE]?.[name]) as TextFiles[Name];
}

/** axe-core's own translation of its messages, where it has one. */
export const axeTexts = (locale: Locale): unknown => languages[locale]?.axeCore;
