import type { LocalText } from "~/findings/check-view";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import type { Category } from "~/scan/types";
import { own } from "./axe/locale.server";
import { helpOf } from "./texts.server";

interface Titles {
  review: string;
  problems: Record<string, string>;
  passed: Record<string, string>;
}

/** What a rule finds wrong, as somebody without technical knowledge would say it; null for an unknown rule. */
export const problemOf = (ruleId: string, locale: Locale): string | null => own(titles(locale).problems, ruleId) ?? null;

/**
 * Title of a rule's result: a violation names the problem; what needs review names it as something to look at; of a rule that
 * passed or did not apply, it says what is right. An unknown rule has the engine's English name.
 */
export function titleOf({ ruleId, help }: { ruleId: string; help: string }, category: Category, locale: Locale): LocalText {
  const { review, problems, passed } = titles(locale);
  const problem = own(problems, ruleId);
  if (problem === undefined) return helpOf({ ruleId, help }, locale);
  if (category === "violations") return { text: problem, lang: locale };
  if (category === "incomplete") return { text: review.replace("{{problem}}", problem), lang: locale };
  const right = own(passed, ruleId);
  return right === undefined ? helpOf({ ruleId, help }, locale) : { text: right, lang: locale };
}

const titles = (locale: Locale): Titles => textFile(locale, "titles");
