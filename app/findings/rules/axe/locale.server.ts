import english from "axe-core/locales/_template.json";
import type { Locale } from "~/platform/i18n/i18n";
import { axeTexts, textFile } from "~/platform/i18n/text-files.server";

/** Message, or messages by outcome, number or reason, nested as in axe-core's locales. */
export type Template = string | { [key: string]: Template };

interface Texts {
  rules: Record<string, { help?: string; description?: string }>;
  checks: Record<string, Template>;
  incompleteFallbackMessage?: string;
}

const OWN_ENGLISH: Texts = textFile("en", "rules");

/** English texts of axe-core's rules and our own. */
export const ENGLISH: Texts = {
  ...english,
  rules: { ...english.rules, ...OWN_ENGLISH.rules },
  checks: { ...english.checks, ...OWN_ENGLISH.checks },
};

const NONE: Texts = { rules: {}, checks: {} };

/** Translations of the English texts. The first one with a text is used: ours replace poor, missing and outdated ones. */
export function translationsOf(locale: Locale): Texts[] {
  if (locale === "en") return [];
  const { improved = NONE, gaps = NONE }: { improved?: Texts; gaps?: Texts } = textFile(locale, "axe");
  return [textFile(locale, "rules"), improved, gaps, (axeTexts(locale) as Texts | undefined) ?? NONE];
}

// Own properties only: ids come from stored results (`constructor`).
export function own<Value>(record: Record<string, Value> | Template | undefined, key: string): Value | undefined {
  return typeof record === "object" && Object.hasOwn(record, key)
    ? (record as Record<string, Value>)[key]
    : undefined;
}
