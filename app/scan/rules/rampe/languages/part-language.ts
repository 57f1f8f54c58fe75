import type { PageRule } from "~/scan/rules/rampe/page-rule";
import type { LanguageGlobals } from "./collect-texts";

/** ACT's rule off6ek: parts in another language declare it correctly. */
export const partLanguage: PageRule = {
  id: "rampe-part-language",
  since: "1.0.0",
  criteria: ["3.1.2"],
  actIds: ["off6ek"],
  level: "wcag2aa",
  category: "language",
  impact: "moderate",
  selector: "body [lang], [aria-labelledby], p, li, blockquote, dd, td, h1, h2, h3",
  judge(element, kit) {
    const found = (globalThis as unknown as Partial<LanguageGlobals>).rampeLanguages;
    if (!found) return undefined;
    const named = otherNameLanguage();
    if (named) return { asks: "name", data: named };
    const other = found.parts.get(element);
    if (!other) return kit.attribute(element, "lang") !== null && kit.visibleText(element) !== "" ? "passes" : undefined;
    const isMarked = kit.attribute(element, "lang") !== null;
    // The whole page then has another language, which is reported once.
    if (!isMarked && found.page) return undefined;
    const { declared, detected, isCertain } = other;
    const data = { declared, detected };
    return isCertain ? { fails: isMarked ? "other" : "unmarked", data } : { asks: isMarked ? "other" : "unmarked", data };

    /** Marked language of the text that names the element, if the element has another one. */
    function otherNameLanguage(): { declared: string; detected: string } | undefined {
      const languageOf = (part: Element) => (kit.closest(part, "[lang]")?.getAttribute("lang") ?? "").toLowerCase().split("-")[0] ?? "";
      const own = languageOf(element);
      const theirs = kit.referenced(element, "aria-labelledby").filter((part) => part !== element).map(languageOf).find((language) => language !== own);
      return own && theirs ? { declared: own, detected: theirs } : undefined;
    }
  },
};
