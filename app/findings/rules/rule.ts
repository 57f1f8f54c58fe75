import type { ElementResult } from "~/scan/types";
import type { Fix } from "~/findings/fixes/fix";
import type { Locale } from "~/platform/i18n/i18n";
import type english from "locales/en/reviews.json";
import type { RuleCategory } from "./axe/categories";
import type { Barrier } from "./barriers";

export type FixableElement = Pick<ElementResult, "html" | "htmlCut" | "checks">;

/**
 * Computes a fix that lets one element satisfy a rule; null if it cannot be computed. Untrusted content of the checked page:
 * show it as text, never use it as markup.
 * @param locale the reader's language, for texts that the fix proposes
 */
type FixOfRule = (element: FixableElement, locale: Locale) => Fix | null;

/** Data of a rule besides its texts; missing values follow from the rule's category. */
export interface RuleEntry {
  /** Unique over all sources, such as `image-alt`. */
  id: string;
  barrier?: Barrier;
  fix?: FixOfRule;
  /** Text of the question for people, under `guidance.rule` in `locales/en/reviews.json`. */
  question?: QuestionOfRule;
  /** Each of axe-core's outcomes for this rule is `passes` or `incomplete`. */
  asksOnly?: true;
}

type QuestionOfRule = keyof typeof english.guidance.rule;

/** Text that explains how a person should decide. */
export type Guidance = { by: "rule"; name: QuestionOfRule } | { by: "category"; name: RuleCategory | "other" };
