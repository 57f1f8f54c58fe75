import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H63: a scope that browsers do not know says nothing. */
export const headerScope: PageRule = {
  id: "rampe-header-scope",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "moderate",
  selector: "th[scope], td[scope]",
  judge(element, kit) {
    const value = element.getAttribute("scope") ?? "";
    if (!kit.isExposed(element)) return undefined;
    if (!/^(row|col|rowgroup|colgroup)$/i.test(value)) return { fails: "value", data: { value: value.slice(0, 30) } };
    return element.localName === "td" ? { asks: "cell", data: { value } } : "passes";
  },
};
