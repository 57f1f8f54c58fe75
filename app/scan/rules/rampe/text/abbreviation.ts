import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 3.1.4, one question per page: abbreviations in capitals in running text that the page does not explain. */
export const abbreviation: PageRule = {
  id: "rampe-abbreviation",
  since: "1.6.0",
  criteria: ["3.1.4"],
  level: "wcag2aaa",
  category: "language",
  impact: "minor",
  selector: "p, li, dd",
  judge(element, kit) {
    const { first, unknown, count } = kit.once("abbreviations", collect);
    if (count === 0) return undefined;
    if (!first) return "passes";
    const most = 5;
    const shown = unknown.slice(0, most).join(", ");
    return first === element ? { asks: "unknown", data: { list: unknown.length > most ? `${shown} …` : shown } } : undefined;

    function collect(): { first: Element | undefined; unknown: string[]; count: number } {
      const whole = kit.visibleText(document.body);
      // A word that also occurs in small letters is in capitals for emphasis.
      const words = new Set(whole.match(/\p{L}+/gu));
      const found = new Map<string, Element>();
      for (const block of kit.all("p, li, dd")) {
        const text = kit.visibleText(block);
        if (!isRunningText(block, text)) continue;
        for (const [letters] of text.matchAll(/(?<![\p{L}\p{N}.@#&/_’'-])\p{Lu}{2,6}(?![\p{L}\p{N}@&/_-])/gu)) {
          if (!/^[IVXLCDM]+$/.test(letters) && !words.has(letters.toLowerCase()) && !found.has(letters)) found.set(letters, block);
        }
      }
      const unknown = [...found].filter(([letters]) => !isExplained(letters, whole));
      return { first: unknown[0]?.[1], unknown: unknown.map(([letters]) => letters), count: found.size };
    }

    /** Is it a sentence, not a headline in capitals, code or a list of links? */
    function isRunningText(block: Element, text: string): boolean {
      const words = text.match(/\p{L}{2,}/gu) ?? [];
      const capital = words.filter((word) => /^\p{Lu}+$/u.test(word)).length;
      const inner = "p, li, dd, pre, code, kbd, samp, form";
      return words.length >= 8 && capital < words.length / 4 && !block.querySelector(inner) && !block.closest("pre, code, nav, footer, header");
    }

    /** Is it explained in brackets beside it, in a list of terms, or by its markup? */
    function isExplained(letters: string, whole: string): boolean {
      const marked = kit.once("marked abbreviations", () => new Set(kit.all("abbr[title], dt, dfn, acronym[title]").map((each) => (each.textContent ?? "").trim())));
      const beside = new RegExp(`\\(\\s*(?:\\p{L}+[.:]?\\s+)?${letters}\\b[^)]*\\)|(?<!\\p{L})${letters}\\s*(?:\\(|[–—=]\\s)\\s*\\p{L}`, "u");
      return marked.has(letters) || beside.test(whole);
    }
  },
};
