import type { LocalText } from "~/findings/check-view";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import type { RuleTexts } from "~/scan/rule-texts";
import { ENGLISH, translationsOf, own } from "./axe/locale.server";

/** English texts of our own rules, for the engine. */
export const OWN_RULE_TEXTS: RuleTexts = { ...textFile("en", "rules"), criteria: textFile("en", "criteria") };

export interface RuleText {
  help: string;
  description: string;
  /** Language of both texts. */
  lang: Locale;
}

/**
 * Name and description of a rule: in this language if available, else English; null for a rule that the installed axe-core does not
 * have. Plain text: show markup in it as text.
 */
export function ruleText(ruleId: string, locale: Locale): RuleText | null {
  const translated = (part: "help" | "description") => translationsOf(locale).map(({ rules }) => own(rules, ruleId)?.[part]).find(Boolean);
  const [help, description] = [translated("help"), translated("description")];
  if (help && description) return { help, description, lang: locale };
  const known = own(ENGLISH.rules, ruleId);
  return known?.help && known.description
    ? { help: known.help, description: known.description, lang: "en" }
    : null;
}

/** Name of a rule in the words of the standard: in this language if available, else the engine's English one. */
export function helpOf({ ruleId, help }: { ruleId: string; help: string }, locale: Locale): LocalText {
  const known = ruleText(ruleId, locale);
  return known ? { text: known.help, lang: known.lang } : { text: help, lang: "en" };
}
