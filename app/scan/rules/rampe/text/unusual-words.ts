import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 3.1.3, one question per page: jargon and idioms in running text that the page does not explain, beside them, by a link or in a
 * glossary. Only well-known examples are found, and a single one may be an accident.
 */
export const unusualWords: PageRule = {
  id: "rampe-unusual-words",
  since: "1.21.0",
  criteria: ["3.1.3"],
  level: "wcag2aaa",
  category: "language",
  impact: "minor",
  selector: "p, li, dd",
  judge(element, kit) {
    const { first, unknown, count } = kit.once("unusual words", collect);
    const [fewest, most] = [2, 5];
    if (count < fewest || element !== first) return undefined;
    if (unknown.length < fewest) return unknown.length === 0 ? "passes" : undefined;
    const shown = unknown.slice(0, most).join(", ");
    return { asks: "unknown", data: { list: unknown.length > most ? `${shown} …` : shown } };

    /** Collects the unusual words, each once and as the page writes it, and the first block with an unknown one. */
    function collect(): { first: Element | undefined; unknown: string[]; count: number } {
      const found = new Map<string, { shown: string; block: Element }>();
      for (const block of kit.all("p, li, dd")) {
        const pattern = patternOf(languageOf(block));
        if (!pattern || !isRunningText(block)) continue;
        for (const [shown, word = ""] of kit.visibleText(block).matchAll(pattern)) {
          const key = kit.plain(word);
          if (!found.has(key)) found.set(key, { shown, block });
        }
      }
      const hasGlossary = found.size > 0 && kit.all("a[href], [rel~=glossary]").some(isGlossary);
      const unknown = hasGlossary ? [] : [...found].filter(([word]) => !isExplained(word));
      const [[, first] = []] = unknown.length > 0 ? unknown : found;
      return { first: first?.block, unknown: unknown.map(([, { shown }]) => shown), count: found.size };
    }

    function languageOf(block: Element): string {
      return (kit.attribute(kit.closest(block, "[lang]") ?? document.documentElement, "lang") ?? "").slice(0, 2).toLowerCase();
    }

    /** Pattern of all words with their endings; undefined for other languages. */
    function patternOf(language: string): RegExp | undefined {
      if (language !== "de" && language !== "en") return undefined;
      const endings = language === "de" ? "(?:e[nrs]?|s|n|se[ns]?)?" : "(?:e?s)?";
      const words = kit.jargon[language].map((word) => word.replaceAll(" ", "[\\s-]+")).join("|");
      return kit.once(`unusual words in ${language}`, () => new RegExp(`(?<![\\p{L}-])(${words})${endings}(?![\\p{L}-])`, "giu"));
    }

    /** Is it a sentence, not code or a list of links? */
    function isRunningText(block: Element): boolean {
      const words = kit.visibleText(block).match(/\p{L}{2,}/gu) ?? [];
      const isPlain = kit.first(block, "p, li, dd, pre, form") === null && !kit.closest(block, "pre, code, nav, footer, header, blockquote");
      return words.length >= 8 && isPlain;
    }

    function isGlossary(link: Element): boolean {
      const words = /glossar|wörterbuch|lexikon|fachbegriffe|leichte[rn]? sprache|dictionary|plain (english|language)|easy[ -](read|to read)/i;
      return kit.matches(link, "[rel~=glossary]") || words.test(kit.name(link));
    }

    /** Is it explained by its markup, by a link of its own, or in the text after it? */
    function isExplained(word: string): boolean {
      const isMarked = kit.once("marked words", () => {
        const marked = kit.all("dfn, dt, abbr[title], a[href], summary, button, [title], [aria-describedby], [aria-details]");
        return marked.map((each) => kit.plain(kit.text(each))).filter((text) => text.length < 60);
      });
      // "Middleware (programs between two others)", "Middleware is a program"
      const definition = "\\(|[–—:=]\\s|(?:is an?|is the|are|means?|ist (?:ein|eine|der|die|das)|sind|bedeutet|heißt|bezeichnet)\\s";
      const beside = new RegExp(`${word.replaceAll(" ", "[\\s-]+")}\\p{L}{0,3}["“”»«']?\\s*(?:${definition})`, "iu");
      return isMarked.some((text) => text.includes(word)) || beside.test(kit.once("text of the page", () => kit.visibleText(document.body)));
    }
  },
};
