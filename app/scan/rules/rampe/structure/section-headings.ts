import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.4.10: long text without headings. Stories and letters may need none, so the rule asks, once per page. */
export const sectionHeadings: PageRule = {
  id: "rampe-section-headings",
  since: "1.6.0",
  criteria: ["2.4.10"],
  level: "wcag2aaa",
  category: "structure",
  impact: "minor",
  selector: "p",
  judge(element, kit) {
    const mostWords = 600;
    const { longest, hasLong } = kit.once("text without headings", collect);
    if (!hasLong) return undefined;
    if (longest.words <= mostWords) return "passes";
    return longest.first === element ? { asks: "long", data: { words: longest.words } } : undefined;

    /** Consecutive paragraphs from heading to heading: those of different comments are separate texts. */
    function collect(): { longest: { first: Element | undefined; words: number }; hasLong: boolean } {
      let longest: { first: Element | undefined; words: number } = { first: undefined, words: 0 };
      let current = longest;
      let total = 0;
      for (const each of kit.all("p, h1, h2, h3, h4, h5, h6, [role=heading]")) {
        if (each.localName !== "p" || each.getAttribute("role") === "heading") {
          current = { first: undefined, words: 0 };
        } else if (!each.closest("blockquote, nav, footer, aside")) {
          const words = kit.visibleText(each).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
          if (current.first?.parentElement !== each.parentElement) current = { first: each, words: 0 };
          current = { first: current.first, words: current.words + words };
          total += words;
          if (current.words > longest.words) longest = current;
        }
      }
      return { longest, hasLong: total > mostWords };
    }
  },
};
