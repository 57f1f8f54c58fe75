import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H39: a caption without words names nothing. */
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
    return hasWords ? "passes" : { fails: "empty" };
  },
};
