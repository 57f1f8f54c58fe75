import type { PageRule } from "~/scan/rules/rampe/page-rule";
import type { LanguageGlobals } from "./collect-texts";

/** ACT's rule ucwvc8: the declared language of a page is the language of its text. */
export const pageLanguage: PageRule = {
  id: "rampe-page-language",
  since: "1.0.0",
  criteria: ["3.1.1"],
  actIds: ["ucwvc8"],
  level: "wcag2a",
  category: "language",
  impact: "serious",
  selector: "html[lang]",
  judge(element) {
    const found = (globalThis as unknown as Partial<LanguageGlobals>).rampeLanguages;
    if (!found || (element.getAttribute("lang") ?? "").trim() === "") return undefined;
    if (!found.page) return found.isPageJudged ? "passes" : undefined;
    const { declared, detected, isCertain } = found.page;
    return isCertain ? { fails: "other", data: { declared, detected } } : { asks: "other", data: { declared, detected } };
  },
};
