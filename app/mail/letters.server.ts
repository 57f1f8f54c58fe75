import german from "locales/de/mail.json";
import english from "locales/en/mail.json";
import type { Locale } from "~/platform/i18n/i18n";
import type { Letter, LetterKind } from "./mail";

interface LetterTexts {
  subject: string;
  paragraphs: string[];
}

const TEXTS: Record<Locale, Record<LetterKind, LetterTexts> & { closing: string[] }> = { de: german, en: english };

/** A stranger may have typed it. */
const LONGEST_VALUE = 2_000;

/**
 * Puts a mail into words, as plain text with a paragraph a line.
 * @param values what the text names, such as `link`
 * @param notes lines below what is written, such as the terms that hold
 */
export function writeLetter(kind: LetterKind, locale: Locale, values: Record<string, string>, notes: string[] = []): Letter {
  const { subject, paragraphs } = TEXTS[locale][kind];
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => plain(values[name] ?? ""));
  return { subject: fill(subject), text: `${[...paragraphs.map(fill), ...notes, ...TEXTS[locale].closing.map(fill)].join("\n\n")}\n` };
}

/** What somebody typed must not look like more of our text. */
const plain = (value: string) => value.replace(/\p{C}+/gu, " ").slice(0, LONGEST_VALUE);
