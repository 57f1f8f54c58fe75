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
    const hasWords = (element.textContent ?? "").trim() !== "" || element.querySelector("img[alt]:not([alt=''])") !== null;
    const isNamed = element.parentElement !== null && kit.matches(element.parentElement, "[aria-label]:not([aria-label='']), [aria-labelledby]") && kit.name(element.parentElement) !== "";
    const isNamedInside = element.querySelector("[aria-label]:not([aria-label=''])") !== null;
    return hasWords || isNamed || isNamedInside ? "passes" : { asks: "empty" };
  },
};
