import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.4.12: with more space between lines, words and letters, no text is cut off, overlaps other text or is covered. */
export const textSpacing: PageRule = {
  id: "rampe-text-spacing",
  since: "1.6.0",
  criteria: ["1.4.12"],
  level: "wcag21aa",
  category: "sensory-and-visual-cues",
  impact: "serious",
  selector: "body, body *",
  // Text hidden from screen readers is still read by sighted users.
  includesHidden: true,
  isAdvanced: true,
  condition: "text-spacing",
  judge(element, kit) {
    const layout = kit.layout();
    const [cut, more, other] = [layout?.cut.get(element), layout?.cutMore.get(element), layout?.overlapped.get(element)];
    const [perhaps, covered] = [layout?.cutPerhaps.get(element), layout?.covered.get(element)];
    if (cut && wordsOf(cut)) return { fails: "cut", data: { words: wordsOf(cut) } };
    if (other && wordsOf(other) && wordsOf(element)) return { fails: "overlaps", data: { words: wordsOf(other) } };
    if (covered?.isCertain && wordsOf(element)) return { fails: "covered", data: { words: wordsOf(element) } };
    // One question about the headlines of a list, which have one height.
    if (perhaps && wordsOf(perhaps) && kit.isFirstOfKind(element, "cut text")) return { asks: "perhaps", data: { words: wordsOf(perhaps) } };
    if (more && wordsOf(more)) return { asks: "more", data: { words: wordsOf(more) } };
    if (covered && wordsOf(element) && kit.isFirstOfKind(element, "covered text")) return { asks: "covered", data: { words: wordsOf(element) } };
    return layout?.isCoverComplete && element === document.body ? "passes" : undefined;

    function wordsOf(shown: Element): string {
      return kit.excerpt(kit.visibleText(shown));
    }
  },
};
