import type { ElementResult } from "~/scan/types";
import type { Locale } from "~/platform/i18n/i18n";
import { contrastFix } from "./contrast";
import type { Fix } from "./fix";
import { markupFix } from "./markup";

export interface FixRequest {
  /** Id of an axe-core rule, such as `image-alt`. */
  ruleId: string;
  element: Pick<ElementResult, "html" | "htmlCut" | "checks">;
  /** The reader's language, for texts that the fix proposes. */
  locale: Locale;
}

/**
 * A fix that lets one element satisfy a rule; null if it cannot be computed. Untrusted content of the checked page: show it
 * as text, never use it as markup.
 */
export function fixOf({ ruleId, element, locale }: FixRequest): Fix | null {
  if (ruleId === "color-contrast" || ruleId === "color-contrast-enhanced") return contrastFix(element.checks);
  return markupFix(ruleId, element, locale);
}
