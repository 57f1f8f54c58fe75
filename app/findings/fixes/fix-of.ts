import type { ElementResult } from "~/scan/types";
import type { Locale } from "~/platform/i18n/i18n";
import { contrastFix } from "./contrast";
import type { Fix } from "./fix";
import { markupFix } from "./markup";

export interface FixRequest {
  /** axe-core's, such as `image-alt`. */
  ruleId: string;
  element: Pick<ElementResult, "html" | "htmlCut" | "checks">;
  /** The reader's language, for texts that the fix proposes. */
  locale: Locale;
}

/**
 * How one element could satisfy a rule; null where that cannot be computed. All of it comes from the checked page: it is to
 * be shown as text, never used as markup.
 */
export function fixOf({ ruleId, element, locale }: FixRequest): Fix | null {
  if (ruleId === "color-contrast" || ruleId === "color-contrast-enhanced") return contrastFix(element.checks);
  return markupFix(ruleId, element, locale);
}
