import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { own } from "./axe/locale.server";
import type { Barrier } from "./barriers";

/** Instructions for people without technical knowledge; before and after: an example of what people notice. */
export interface Remedy {
  todo: string;
  before: string;
  after: string;
}

/** Remedy of the rule, otherwise of its kind of barrier. */
export function remedyOf(ruleId: string, barrier: Barrier, locale: Locale): Remedy {
  const remedies: Record<string, Remedy> & Record<Barrier, Remedy> = textFile(locale, "remedies");
  return own<Remedy>(remedies, ruleId) ?? remedies[barrier];
}
