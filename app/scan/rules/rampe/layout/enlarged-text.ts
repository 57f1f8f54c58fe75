import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG failure F69, for text enlarged by the browser without the layout: no text is cut off, overlaps other text or is covered. It asks, because
 * enlarging the whole page, which `rampe-zoomed-text` tests, is another way to the same size.
 */
export const enlargedText: PageRule = {
  id: "rampe-enlarged-text",
  since: "1.13.0",
  criteria: ["1.4.4"],
  level: "wcag2aa",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "body *",
  isAdvanced: true,
  condition: "text-200",
  judge(element, kit) {
    const layout = kit.layout();
    const [cut, other] = [layout?.cut.get(element) ?? layout?.cutMore.get(element), layout?.overlapped.get(element)];
    const lost = cut ?? other ?? (layout?.covered.has(element) ? element : undefined);
    const words = lost && wordsOf(lost);
    if (!words || !kit.hasAllStyles() || isSizedByText()) return undefined;
    const most = 3;
    const asked = kit.once("enlarged texts asked", () => ({ count: 0 }));
    asked.count += 1;
    if (asked.count > most) return undefined;
    return { asks: cut ? "cut" : other ? "overlaps" : "covered", data: { words } };

    /** Chromium does not enlarge these units; other browsers let such boxes grow with their text. */
    function isSizedByText(): boolean {
      const levels = 4;
      const properties = ["height", "max-height", "block-size", "max-block-size"];
      for (let [box, level]: [Element | null, number] = [element, 0]; box && level < levels; [box, level] = [kit.parent(box), level + 1]) {
        const inPage = box;
        const rules = kit.styleRules().filter(({ selector, media }) => kit.applies(media) && kit.matches(inPage as HTMLElement, selector));
        const styles = [kit.inlineStyle(inPage), ...rules.map(({ style }) => style)];
        if (styles.some((style) => properties.some((property) => /\d(r?em|r?lh|ex|ch)\b/.test(style?.getPropertyValue(property) ?? "")))) return true;
      }
      return false;
    }

    function wordsOf(shown: Element): string {
      return kit.excerpt(kit.visibleText(shown));
    }
  },
};
