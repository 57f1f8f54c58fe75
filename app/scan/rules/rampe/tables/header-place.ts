import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H51: browsers look for the headers of a cell before and above it, not behind or below it. */
export const headerPlace: PageRule = {
  id: "rampe-header-place",
  since: "1.14.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "serious",
  selector: "table",
  judge(element, kit): Judgement | undefined {
    const table = element as HTMLTableElement;
    if (!kit.isVisible(table) || !/^(table|grid|treegrid)$/.test(kit.role(table) ?? "") || table.querySelector("table")) return undefined;
    const limits = { cells: 2_000, span: 100 };
    if (table.querySelectorAll("td, th").length > limits.cells) return undefined;
    const cells = placedCells();
    const headers = cells.filter(({ cell }) => isHeader(cell) && hasWords(cell));
    // A single cell in its row, such as a title or a note, is not part of a column.
    const isAlone = ({ cell, top }: Place) => !cells.some((each) => each.top === top && each.cell !== cell && hasWords(each.cell));
    const data = cells.filter((each) => !isHeader(each.cell) && hasWords(each.cell) && !isAlone(each) && !isButton(each.cell));
    if (headers.length < 2 || data.length < 2) return undefined;
    const unheaded = data.filter((each) => !refersToCell(each.cell) && !headers.some((header) => isBefore(header, each) || isAbove(header, each)));
    const behind = (each: Place) => headers.filter((header) => isBefore(each, header) || isAbove(each, header));
    const [first] = unheaded.filter((each) => behind(each).length > 0);
    if (!first) return "passes";
    // Sums in a last row look like headers, but are none.
    if (unheaded.flatMap(behind).some(({ cell }) => /^\P{L}*\p{N}\P{L}*$/u.test(kit.visibleText(cell)))) return undefined;
    if (unheaded.length === data.length) return { fails: "behind", data: { cells: data.length, headers: headers.length } };
    return { asks: "behind", data: { cells: unheaded.length, text: kit.visibleText(first.cell).slice(0, 40) } };

    /** Cells with their places in the grid; `right` and `bottom` are exclusive. */
    function placedCells(): Place[] {
      const taken = new Set<string>();
      const within = (span: number, most: number) => Math.max(1, Math.min(span, most));
      return [...table.rows].flatMap((row, top) => {
        let left = 0;
        const rowsLeft = (row.parentElement as HTMLTableSectionElement).rows.length - row.sectionRowIndex;
        return [...row.cells].map((cell) => {
          while (taken.has(`${left} ${top}`)) left += 1;
          const place = { cell, left, top, right: left + within(cell.colSpan, limits.span), bottom: top + (cell.rowSpan === 0 ? rowsLeft : within(cell.rowSpan, limits.span)) };
          for (let y = top; y < place.bottom; y += 1) for (let x = left; x < place.right; x += 1) taken.add(`${x} ${y}`);
          return place;
        });
      });
    }

    function isHeader(cell: HTMLElement): boolean {
      return cell.localName === "th" || /^(columnheader|rowheader)$/.test(cell.getAttribute("role") ?? "");
    }

    function hasWords(cell: HTMLElement): boolean {
      return kit.isExposed(cell) && /[\p{L}\p{N}]/u.test(kit.visibleText(cell));
    }

    /** Is the cell a button, such as one beside the month of a calendar? */
    function isButton(cell: HTMLElement): boolean {
      const button = cell.querySelector("button, [role=button], a[href^='#'], a[href^='javascript:']");
      return button !== null && kit.visibleText(button) === kit.visibleText(cell);
    }

    function refersToCell(cell: HTMLElement): boolean {
      return kit.referenced(cell, "headers").some((each) => each !== cell && table.contains(each));
    }

    function isBefore(one: Place, other: Place): boolean {
      return one.right <= other.left && one.top < other.bottom && other.top < one.bottom;
    }

    function isAbove(one: Place, other: Place): boolean {
      return one.bottom <= other.top && one.left < other.right && other.left < one.right;
    }

    interface Place {
      cell: HTMLTableCellElement;
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
  },
};
