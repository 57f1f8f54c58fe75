import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Techniques H42, G141: a skipped heading level may hide the structure of the content. */
export const skippedHeading: PageRule = {
  id: "rampe-skipped-heading",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "structure",
  impact: "moderate",
  selector: "h2, h3, h4, h5, h6, [role=heading]",
  judge(element, kit) {
    const levels = kit.once("heading levels", () => {
      const headings = kit.all("h1, h2, h3, h4, h5, h6, [role=heading]").filter((each) => kit.role(each) === "heading" && kit.isExposed(each));
      return new Map(headings.map((heading, index) => [heading, { level: levelOf(heading), before: headings[index - 1] }]));
    });
    const own = levels.get(element);
    if (!own?.before) return undefined;
    const before = levelOf(own.before);
    return own.level > before + 1 ? { asks: "level", data: { level: own.level, before } } : "passes";

    function levelOf(heading: Element): number {
      return Number(heading.getAttribute("aria-level")) || Number(/^h(\d)$/.exec(heading.localName)?.[1] ?? 2);
    }
  },
};
