import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F46 and F92: a table is declared as layout, and has the markup of data. */
export const presentationalTable: PageRule = {
  id: "rampe-presentational-table",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "serious",
  selector: "table[role=presentation], table[role=none]",
  judge(element, kit) {
    if (!kit.isVisible(element)) return undefined;
    const own = (selector: string) => [...element.querySelectorAll(selector)].filter((each) => each.closest("table") === element);
    // A role of its own determines a cell, whatever its table and its element are.
    if (own("th:not([role])").length > 0) return { fails: "headers" };
    if (own("caption").some((caption) => (caption.textContent ?? "").trim() !== "")) return { fails: "caption" };
    if ((element.getAttribute("summary") ?? "").trim() !== "") return { fails: "summary" };
    return own(":is([scope], [headers]):not([role])").length > 0 ? { fails: "attributes" } : "passes";
  },
};
