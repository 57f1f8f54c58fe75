import german from "locales/de/mail.json";
import english from "locales/en/mail.json";
import type { Locale } from "~/platform/i18n/i18n";
import type { Letter, LetterKind } from "./mail";

interface LetterTexts {
  subject: string;
  paragraphs: string[];
}

const TEXTS: Record<Locale, Record<LetterKind, LetterTexts> & { closing: string[] }> = { de: german, en: english };

/** For values typed by strangers. */
const LONGEST_VALUE = 2_000;

/**
 * Writes a mail as plain text, one line per paragraph.
 * @param values values in the text, such as `link`
 * @param notes lines below the text, such as the terms that apply
 */
export function writeLetter(kind: LetterKind, locale: Locale, values: Record<string, string>, notes: string[] = []): Letter {
  const { subject, paragraphs } = TEXTS[locale][kind];
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => plain(values[name] ?? ""));
  return { subject: fill(subject), text: `${[...paragraphs.map(fill), ...notes, ...TEXTS[locale].closing.map(fill)].join("\n\n")}\n` };
}

/** User input must not look like our own text. */
const plain = (value: string) => value.replace(/\p{C}+/gu, " ").slice(0, LONGEST_VALUE);
