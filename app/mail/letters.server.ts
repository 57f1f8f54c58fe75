import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import type { Letter, LetterKind } from "./mail";

/** Maximum length of values that strangers type. */
const LONGEST_VALUE = 2_000;

/**
 * Text of a mail, one line per paragraph.
 * @param values values for placeholders, such as `link`
 * @param notes lines below the text, such as the terms that apply
 */
export function writeLetter(kind: LetterKind, locale: Locale, values: Record<string, string>, notes: string[] = []): Letter {
  // Cast: the types of composed keys say nothing.
  const t = textsOf(locale).getFixedT(null, "mail") as (key: string, options: object) => string | string[];
  const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)]));
  const paragraphs = t(`${kind}.paragraphs`, { ...filled, returnObjects: true }) as string[];
  const closing = t("closing", { ...filled, returnObjects: true }) as string[];
  return { subject: t(`${kind}.subject`, filled) as string, text: `${[...paragraphs, ...notes, ...closing].join("\n\n")}\n` };
}

/** User input must not look like our own text. */
const plain = (value: string) => value.replace(/\p{C}+/gu, " ").slice(0, LONGEST_VALUE);
