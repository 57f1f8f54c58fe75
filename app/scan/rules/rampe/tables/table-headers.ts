import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F91: a data table whose headers are not marked as headers. */
export const tableHeaders: PageRule = {
  id: "rampe-table-headers",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "tables",
  impact: "serious",
  selector: "table, [role=table]:not(table), [role=grid]:not(table)",
  judge(element, kit): Judgement | undefined {
    if (!(element instanceof HTMLTableElement)) return judgeRoles();
    const table = element;
    if (!kit.isVisible(table) || !/^(table|grid|treegrid)$/.test(kit.role(table) ?? "") || table.querySelector("table")) return undefined;
    const rows = [...table.rows].filter((row) => row.cells.length > 0);
    const columns = Math.max(0, ...rows.map((row) => row.cells.length));
    if (rows.length < 2 || columns < 2) return undefined;
    const cells = rows.flatMap((row) => [...row.cells]);
    if (cells.some((cell) => cell.localName === "th" || /^(columnheader|rowheader)$/.test(cell.getAttribute("role") ?? "") || cell.hasAttribute("headers") || cell.hasAttribute("scope"))) return judgeRowHeaders();
    if (cells.some((cell) => cell.querySelector("input, select, textarea, form, h1, h2, h3, h4, ul, ol, iframe"))) return undefined;
    const texts = rows.map((row) => [...row.cells].map((cell) => kit.visibleText(cell)));
    const filled = texts.flat().filter((text) => text !== "");
    const isShort = filled.every((text) => text.length < 80);
    const isRegular = rows.every((row) => row.cells.length === columns);
    if (!isShort || filled.length < texts.flat().length * 0.6) return undefined;

    const hasCaption = table.caption !== null && kit.visibleText(table.caption) !== "";
    const [first = []] = texts;
    const numbers = (row: string[]) => row.filter((text) => /^[\s\d.,:/%€$£+()-]+$/.test(text) && /\d/.test(text)).length;
    const hasNumbers = texts.slice(1).some((row) => numbers(row) > 0);
    const headingLike = rows[0] && numbers(first) === 0 && looksStronger([...rows[0].cells], rows.slice(1).flatMap((row) => [...row.cells]));
    const sideLike = looksStronger(rows.map((row) => row.cells[0]), rows.flatMap((row) => [...row.cells].slice(1)));
    const has = (table.getAttribute("summary") ?? "") !== "" || Number(table.getAttribute("border")) > 0;
    // A <thead> states that the table has headers.
    const isHead = rows[0]?.parentElement === table.tHead && table.tHead !== null && rows.length > table.tHead.rows.length && first.every((text) => /\p{L}/u.test(text));
    if (isRegular && (headingLike || sideLike || hasCaption || isHead)) return { fails: "headers", data: { rows: rows.length, columns } };
    const isNumeric = (column: number) => texts.slice(1).every((row) => numbers([row[column] ?? ""]) === 1);
    const numericColumns = first.filter((_, column) => isNumeric(column)).length;
    const isNamed = numbers(first) === 0 && first.every((text) => /\p{L}/u.test(text));
    if (isRegular && rows.length > 2 && columns > 2 && numericColumns > 1 && isNamed) return { fails: "headers", data: { rows: rows.length, columns } };
    const isData = isRegular && rows.length > 2 && (has || (hasNumbers && numbers(first) === 0));
    return isData ? { asks: "headers", data: { rows: rows.length, columns } } : undefined;

    /** Judges a table with header cells: does a row lack one that most rows have? */
    function judgeRowHeaders(): Judgement {
      const leastHeaded = 2;
      // A cell of several rows may be the header of a row that does not contain it.
      if (cells.some((cell) => cell.rowSpan !== 1)) return "passes";
      const isHeader = (cell: Element) => kit.matches(cell, "th, [scope], [role=rowheader], [role=columnheader]");
      const firsts = rows.flatMap((row) => [...row.cells].slice(0, row.cells.length > 1 ? 1 : 0));
      const headers = firsts.filter(isHeader);
      if (headers.length < leastHeaded || headers.length === firsts.length) return "passes";
      const lacking: HTMLElement[] = [];
      for (const cell of firsts) {
        if (isHeader(cell) || !isOfData(cell)) continue;
        const isOther = cell.hasAttribute("headers") || cell.querySelector("button, input, select, textarea, img") !== null || !/\p{L}/u.test(kit.visibleText(cell));
        lacking.push(cell);
        // The first row may head the columns: another rule asks about that.
        if (isOther || cell.parentElement === rows[0] || lacking.length > headers.length / 2) return "passes";
      }
      const [first] = lacking;
      const headed = first ? headers.filter(isOfData).length : 0;
      if (!first || headed < leastHeaded || lacking.length > headed / 2) return "passes";
      return { asks: "row", data: { rows: lacking.length, headed, text: kit.visibleText(first).slice(0, 40) } };

      /** Does the first cell of a row have words, and another one data? */
      function isOfData(cell: HTMLElement): boolean {
        const others = kit.children(cell.parentElement ?? cell).filter((each) => each !== cell && !(isHeader(cell) && isHeader(each)));
        return isFilled(cell) && others.some(isFilled);
      }

      function isFilled(cell: Element): boolean {
        return kit.isExposed(cell) && kit.visibleText(cell) !== "";
      }
    }

    /** Judges a table built with roles. Interactive cells, such as days of a calendar, have names of their own. */
    function judgeRoles(): Judgement | undefined {
      if (!kit.isVisible(element) || !kit.isExposed(element)) return undefined;
      if (kit.insideComposed(element, "[role=columnheader], [role=rowheader], th").length > 0) return "passes";
      const rows = kit.insideComposed(element, "[role=row]").filter((row) => kit.isVisible(row)).map((row) => kit.insideComposed(row, "[role=cell], [role=gridcell]"));
      const columns = rows[0]?.length ?? 0;
      const isRegular = rows.every((row) => row.length === columns);
      const isOperated = kit.insideComposed(element, "[role=gridcell][tabindex], button, input, select, textarea, [role=button], [role=checkbox]").length > 0;
      const texts = rows.flat().map((cell) => kit.visibleText(cell));
      const isFilled = texts.filter((text) => text !== "").length >= texts.length * 0.6 && texts.every((text) => text.length < 80);
      return rows.length > 1 && columns > 1 && isRegular && isFilled && !isOperated ? { asks: "headers", data: { rows: rows.length, columns } } : undefined;
    }

    /** Are the header cells bold, or on another background, and the others not? */
    function looksStronger(heads: (HTMLElement | undefined)[], others: HTMLElement[]): boolean {
      const filledHeads = heads.filter((cell): cell is HTMLElement => cell !== undefined && kit.visibleText(cell) !== "");
      if (filledHeads.length === 0 || others.length === 0) return false;
      return filledHeads.every(isBold) && others.filter((cell) => kit.visibleText(cell) !== "").every((cell) => !isBold(cell));
    }

    function isBold(cell: HTMLElement): boolean {
      const text = kit.visibleText(cell);
      let inner: Element = cell;
      for (let child = kit.children(inner).find((each) => kit.visibleText(each) === text); child; child = kit.children(inner).find((each) => kit.visibleText(each) === text)) inner = child;
      return Number(kit.style(inner).fontWeight) >= 600;
    }
  },
};
