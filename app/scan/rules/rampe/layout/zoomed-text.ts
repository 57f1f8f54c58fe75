import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F69: in a window of 1280 px at 200 %, no text is cut off or lies over other text. */
export const zoomedText: PageRule = {
  id: "rampe-zoomed-text",
  criteria: ["1.4.4"],
  level: "wcag2aa",
  category: "sensory-and-visual-cues",
  impact: "serious",
  selector: "body, body *",
  isAdvanced: true,
  condition: "zoom-200",
  judge(element, kit) {
    const layout = kit.layout();
    const [cut, other] = [layout?.cut.get(element), layout?.overlapped.get(element)];
    if (cut && wordsOf(cut)) return { fails: "cut", data: { words: wordsOf(cut) } };
    if (other && wordsOf(other) && wordsOf(element)) return { fails: "overlaps", data: { words: wordsOf(other) } };
    return layout && element === document.body ? "passes" : undefined;

    function wordsOf(shown: Element): string {
      const longest = 80;
      const words = kit.visibleText(shown);
      return words.length > longest ? `${words.slice(0, longest)} …` : words;
    }
  },
};
