import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F48: columns made of blanks. */
export const preformattedTable: PageRule = {
  id: "rampe-preformatted-table",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "serious",
  selector: "pre",
  judge(element, kit) {
    if (!kit.isVisible(element) || element.querySelector("code, kbd, samp, span") || kit.around(element, "code, figure, [role=img]")) return undefined;
    const lines = (element.textContent ?? "").replace(/\t/g, "        ").split("\n").map((line) => line.trimEnd()).filter((line) => /\p{L}|\d/u.test(line));
    if (lines.length < 3 || /[{};=<>]|=>|::|\$ |^\s*(#|\/\/|--\s)/m.test(lines.join("\n"))) return undefined;
    const starts = lines.map((line) => [...line.matchAll(/(?:^|\s{2,})(\S)/g)].map((match) => match.index + match[0].length - 1));
    const rows = starts.filter((row) => row.length >= 3);
    const isHead = (starts[0]?.length ?? 0) >= 4 && starts.slice(1).some((row) => row.length >= 2);
    if (rows.length < 3 || rows.length < lines.length * 0.4) return isHead || hasLinesInColumns() ? { asks: "columns" } : undefined;
    const [sample = []] = rows;
    const aligned = sample.filter((start) => rows.filter((row) => hasStart(row, start)).length >= rows.length * 0.7);
    if (aligned.length >= 3) return { fails: "columns", data: { columns: aligned.length } };
    return hasLinesInColumns() ? { asks: "columns" } : undefined;

    function hasStart(row: number[], start: number): boolean {
      return row.some((each) => Math.abs(each - start) <= 2);
    }

    /** Are there four consecutive lines, such as below a title, in which at least three parts begin below those of the first line? */
    function hasLinesInColumns(): boolean {
      const goesOn = (row: number[], first: number[]) => first.filter((start) => hasStart(row, start)).length >= 3;
      const series = starts.map((_first, index) => starts.slice(index, index + 4));
      return series.some((rows) => rows.length === 4 && rows.every((row) => goesOn(row, rows[0] ?? [])));
    }
  },
};
