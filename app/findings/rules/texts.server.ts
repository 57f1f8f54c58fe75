import type { Locale } from "~/platform/i18n/i18n";
import { ENGLISH, GERMAN, own } from "./axe/locale.server";

export interface RuleText {
  help: string;
  description: string;
  /** Language of both. */
  lang: Locale;
}

/**
 * A rule's name and description: German if available, else English; null for a rule that the installed axe-core does not
 * have. Plain text: show markup in it as text.
 */
export function ruleText(ruleId: string, locale: Locale): RuleText | null {
  const german = { help: germanOfRule(ruleId, "help"), description: germanOfRule(ruleId, "description") };
  if (locale === "de" && german.help && german.description) {
    return { help: german.help, description: german.description, lang: "de" };
  }
  const known = own(ENGLISH.rules, ruleId);
  return known?.help && known.description
    ? { help: known.help, description: known.description, lang: "en" }
    : null;
}

function germanOfRule(ruleId: string, part: "help" | "description"): string | undefined {
  return GERMAN.map(({ rules }) => own(rules, ruleId)?.[part]).find(Boolean);
}
