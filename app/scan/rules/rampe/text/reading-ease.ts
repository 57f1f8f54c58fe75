import type { LanguageGlobals } from "~/scan/rules/rampe/languages/collect-texts";
import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 3.1.5: the running text of a page is hard to read by Flesch's formula, or Amstad's for German. The formulas count words and
 * sentences, not meaning, and a simple version may be elsewhere, so the rule asks.
 */
export const readingEase: PageRule = {
  id: "rampe-reading-ease",
  since: "1.6.0",
  criteria: ["3.1.5"],
  level: "wcag2aaa",
  category: "language",
  impact: "minor",
  selector: "html[lang]",
  judge(element, kit) {
    // Both scales call texts below 50 difficult: they take more than nine years of school.
    const [fewestWords, fewestSentences, leastEase] = [200, 8, 50];
    const language = /^(de|en)\b/i.exec(element.lang)?.[1]?.toLowerCase();
    const found = (globalThis as unknown as Partial<LanguageGlobals>).rampeLanguages;
    if (!language || !found || found.page) return undefined;
    const texts = kit.all("p").filter((each) => isRunningText(each)).map((each) => kit.visibleText(each));
    const sentences = texts.flatMap((text) => text.split(/(?<=[.!?…]["“”»«')]?)\s+(?=["„“»«'(]?[\p{Lu}\d])/u)).filter((text) => wordsOf(text).length > 1);
    const words = sentences.flatMap(wordsOf);
    if (words.length < fewestWords || sentences.length < fewestSentences) return undefined;
    // Filler such as "Lorem ipsum" has no language.
    const common = language === "de" ? /^(der|die|das|den|und|zu)$/i : /^(the|of|to|and)$/i;
    if (words.filter((word) => common.test(word)).length < words.length / 50) return undefined;
    const perSentence = words.length / sentences.length;
    const perWord = words.reduce((sum, word) => sum + syllablesOf(word), 0) / words.length;
    const ease = Math.round(language === "de" ? 180 - perSentence - 58.5 * perWord : 206.835 - 1.015 * perSentence - 84.6 * perWord);
    if (ease >= leastEase) return "passes";
    return { asks: "hard", data: { ease, words: words.length, perSentence: Math.round(perSentence) } };

    /** Does the paragraph contain a sentence, in the language of the page? */
    function isRunningText(paragraph: HTMLElement): boolean {
      const text = kit.visibleText(paragraph);
      const others = "nav, footer, aside, form, blockquote, [role=navigation], [role=contentinfo], [role=complementary]";
      if (!/[.!?…]["“”»«')\]\d]*$/.test(text) || wordsOf(text).length < 10 || paragraph.closest(others)) return false;
      const marked = paragraph.closest("[lang]")?.getAttribute("lang") ?? "";
      return marked.toLowerCase().startsWith(language ?? "");
    }

    /** Words without numbers and abbreviations in capitals, whose syllables cannot be counted. */
    function wordsOf(text: string): string[] {
      return (text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? []).filter((word) => !/^\p{Lu}{2,}$/u.test(word));
    }

    function syllablesOf(word: string): number {
      const plain = word.toLowerCase().normalize("NFC");
      if (language === "de") return Math.max(1, plain.match(/ei|ai|ey|ay|eu|äu|au|ie|aa|ee|oo|[aeiouyäöüéèêáàâíóôú]/g)?.length ?? 0);
      const spoken = plain.replace(/['’]s$/, "").replace(/(?<=[^aeiouy])e$|(?<=[^aeiouytd])ed$|(?<=[^aeiouylszxcg])es$/, "");
      return Math.max(1, spoken.match(/[aeiouy]+/g)?.length ?? 0);
    }
  },
};
