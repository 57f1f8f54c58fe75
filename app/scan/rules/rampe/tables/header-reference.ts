import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F90: cells refer to headers of another row and another column. */
export const headerReference: PageRule = {
  id: "rampe-header-reference",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "serious",
  selector: "td[headers]",
  judge(element, kit) {
    const table = element.closest("table");
    if (!table || !kit.isExposed(element)) return undefined;
    const headers = kit.referenced(element, "headers").filter((header) => header !== element && header.closest("table") === table);
    if (headers.length === 0) return undefined;
    const places = kit.once("places of cells", () => new WeakMap<HTMLTableElement, Map<Element, Place>>());
    const known = places.get(table) ?? placesOf(table);
    places.set(table, known);
    const own = known.get(element);
    if (!own) return undefined;
    const stray = headers.find((header) => {
      const place = known.get(header);
      const isOfOthers = place !== undefined && !overlaps(own.rows, place.rows) && !overlaps(own.columns, place.columns);
      return isOfOthers && leavesOutOwnHeader(place);
    });
    return stray ? { fails: "elsewhere", data: { header: (stray.textContent ?? "").trim().slice(0, 60), id: stray.id } } : "passes";

    /** Do the cell's `headers` lack the header of its own row or column beside the other one? The header of a section is an exception. */
    function leavesOutOwnHeader({ rows, columns }: Place): boolean {
      return [...known].some(([cell, place]) => {
        const isOwn = (overlaps(place.rows, rows) && overlaps(place.columns, own!.columns)) || (overlaps(place.columns, columns) && overlaps(place.rows, own!.rows));
        return isOwn && cell.localName === "th" && !headers.includes(cell) && kit.name(cell) !== "";
      });
    }

    function overlaps([from, to]: readonly [number, number], [other, end]: readonly [number, number]): boolean {
      return from < end && other < to;
    }

    function placesOf(whole: HTMLTableElement): Map<Element, Place> {
      const found = new Map<Element, Place>();
      const taken: boolean[][] = [];
      [...whole.rows].forEach((row, y) => {
        let x = 0;
        for (const cell of row.cells) {
          while (taken[y]?.[x]) x += 1;
          const [width, height] = [Math.max(1, cell.colSpan), Math.min(1_000, Math.max(1, cell.rowSpan))];
          for (let down = y; down < y + height; down += 1) {
            const line = (taken[down] ??= []);
            for (let across = x; across < x + width; across += 1) line[across] = true;
          }
          found.set(cell, { rows: [y, y + height], columns: [x, x + width] });
          x += width;
        }
      });
      return found;
    }

    type Place = { rows: [number, number]; columns: [number, number] };
  },
};
