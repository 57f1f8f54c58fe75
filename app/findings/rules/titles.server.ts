import type { LocalText } from "~/findings/check-view";
import type { Locale } from "~/platform/i18n/i18n";
import { withValues } from "~/platform/i18n/i18n.server";
import { textFile } from "~/platform/i18n/text-files.server";
import type { Category } from "~/scan/types";
import { own } from "./axe/locale.server";
import { helpOf } from "./texts.server";

interface Titles {
  review: string;
  partly: string;
  problems: Record<string, string>;
  passed: Record<string, string>;
}

/** Problem that a rule finds, in words for people without technical knowledge; null for an unknown rule. */
export const problemOf = (ruleId: string, locale: Locale): string | null => own(titles(locale).problems, ruleId) ?? null;

interface TitledRule {
  ruleId: string;
  help: string;
  /** For passes: whether other elements violate the rule, or need review. */
  isMixed?: boolean;
}

/**
 * Title of a rule's result. Violation: the problem; needs review: the problem, as something to review; passed: what is right, with
 * a note if other elements did not pass. Otherwise the rule's name; for an unknown rule, the engine's English one.
 */
export function titleOf(rule: TitledRule, category: Category, locale: Locale): LocalText {
  const { review, partly, problems, passed } = titles(locale);
  const problem = own(problems, rule.ruleId);
  if (problem === undefined || category === "inapplicable") return helpOf(rule, locale);
  if (category === "violations") return { text: problem, lang: locale };
  if (category === "incomplete") return { text: withValues(review, { problem }), lang: locale };
  const right = own(passed, rule.ruleId);
  const title = right === undefined ? helpOf(rule, locale) : { text: right, lang: locale };
  return rule.isMixed ? { ...title, text: withValues(partly, { passed: title.text }) } : title;
}

/** Problem that a rule looks for, for lists of rules that could not test everything. */
export const lookedForBy = (ruleId: string, locale: Locale): LocalText => titleOf({ ruleId, help: ruleId }, "violations", locale);

const titles = (locale: Locale): Titles => textFile(locale, "titles");
