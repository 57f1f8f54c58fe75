import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H39: a caption without words. No criterion requires a caption, so a person must decide whether the table needs a name. */
export const emptyCaption: PageRule = {
  id: "rampe-empty-caption",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "minor",
  selector: "table > caption",
  judge(element, kit) {
    if (!kit.isExposed(element) || /^(none|presentation)$/.test(element.parentElement?.getAttribute("role") ?? "")) return undefined;
    // Words that are hidden from everybody are none; those for screen readers alone are.
    const isPerceived = (each: Element) => kit.isVisible(each) || kit.isExposed(each);
    const hasOwnWords = (each: Element) => kit.nodes(each).some((node) => node instanceof Text && node.data.trim() !== "");
    const hasWords = [element, ...kit.inside(element, "*")].some((each) => (hasOwnWords(each) || kit.matches(each, "img[alt]:not([alt=''])")) && isPerceived(each));
    const isNamed = element.parentElement !== null && kit.matches(element.parentElement, "[aria-label]:not([aria-label='']), [aria-labelledby]") && kit.name(element.parentElement) !== "";
    const isNamedInside = element.querySelector("[aria-label]:not([aria-label=''])") !== null;
    return hasWords || isNamed || isNamedInside ? "passes" : { asks: "empty" };
  },
};
