import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 1.4.11, for people whose browser or system replaces all colours by their own few: it drops backgrounds and shadows, and keeps borders,
 * text and pictures. A control that is drawn by a background alone, such as an icon cut out by a mask, cannot be seen then. WCAG does not
 * say whether its contrast holds for colours of the visitor, so a person decides.
 */
export const forcedColors: PageRule = {
  id: "rampe-forced-colors",
  since: "1.17.0",
  criteria: ["1.4.11"],
  level: "wcag21aa",
  category: "color",
  impact: "serious",
  selector: "html, body *",
  includesHidden: true,
  isAdvanced: true,
  condition: "forced-colors",
  judge(element, kit) {
    const lost = kit.drawings()?.lost;
    if (element === document.documentElement) return lost && lost.size > 0 ? undefined : "passes";
    return lost?.has(element) && isFirstOfKind() ? { asks: "lost" } : undefined;

    /** What is drawn alike is one question. */
    function isFirstOfKind(): boolean {
      const around = kit.parent(element);
      const kind = [element, around].map((each) => each && `${kit.localName(each)}.${kit.attribute(each, "class") ?? ""}`).join(" ");
      const kinds = kit.once("kinds of lost drawings", () => new Map<string, Element>());
      if (!kinds.has(kind)) kinds.set(kind, element);
      return kinds.get(kind) === element;
    }
  },
};
