import type { PageRule } from "~/scan/rules/rampe/page-rule";
import type { LanguageGlobals } from "./collect-texts";

/** ACT's rule off6ek: parts in another language say so, with the right one. */
export const partLanguage: PageRule = {
  id: "rampe-part-language",
  criteria: ["3.1.2"],
  level: "wcag2aa",
  category: "language",
  impact: "moderate",
  selector: "body [lang], p, li, blockquote, dd, td, h1, h2, h3",
  judge(element, kit) {
    const found = (globalThis as unknown as Partial<LanguageGlobals>).rampeLanguages;
    if (!found) return undefined;
    const other = found.parts.get(element);
    if (!other) return element.hasAttribute("lang") && kit.visibleText(element) !== "" ? "passes" : undefined;
    const isMarked = element.hasAttribute("lang");
    // The whole page has another language then, which is said once.
    if (!isMarked && found.page) return undefined;
    const { declared, detected, isCertain } = other;
    const data = { declared, detected };
    return isCertain ? { fails: isMarked ? "other" : "unmarked", data } : { asks: isMarked ? "other" : "unmarked", data };
  },
};
