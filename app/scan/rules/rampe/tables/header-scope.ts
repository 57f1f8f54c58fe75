import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H63: an invalid scope is ignored. Browsers then use the header's place, which is right in the first row and column. */
export const headerScope: PageRule = {
  id: "rampe-header-scope",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "moderate",
  selector: "th[scope], td[scope]",
  judge(element, kit) {
    const value = (element.getAttribute("scope") ?? "").trim();
    if (!kit.isExposed(element) || value === "") return undefined;
    const isKnown = /^(row|col|rowgroup|colgroup)$/i.test(value);
    if (isKnown) return element.localName === "td" ? { asks: "cell", data: { value } } : "passes";
    const cell = element as HTMLTableCellElement;
    const data = { value: value.slice(0, 30) };
    const isInFirstRow = cell.closest("tr") === cell.closest("table")?.rows[0];
    const isFirstInRow = cell.cellIndex === 0;
    return isInFirstRow || isFirstInRow ? { asks: "value", data } : { fails: "value", data };
  },
};
