import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F1 and F49: the visual order differs from the reading order. */
export const readingOrder: PageRule = {
  id: "rampe-reading-order",
  since: "1.0.0",
  criteria: ["1.3.2"],
  level: "wcag2a",
  category: "structure",
  impact: "serious",
  selector: "body, body *, table",
  judge(element, kit) {
    if (kit.localName(element) === "table") return judgeTable(element as HTMLTableElement);
    const children = kit.children(element);
    if (children.length < 2 || children.length > 60) return undefined;
    const parts = children.filter((child) => child instanceof HTMLElement && isMoved(child));
    if (parts.length === 0) return undefined;
    const shown = children.filter((child) => kit.style(child).position !== "fixed" && kit.isVisible(child) && kit.visibleText(child).length > 2);
    const boxes = shown.map((child) => kit.box(child));
    const jumps = boxes.filter((box, index) => {
      const before = boxes[index - 1];
      // Boxes of consecutive lines share some pixels.
      return before !== undefined && (box.top + box.bottom) / 2 <= before.top + 2 && box.right > before.left && box.left < before.right;
    }).length;
    const asked = kit.once("reading orders asked", () => ({ count: 0 }));
    if (jumps === 0 || asked.count >= 3) return undefined;
    asked.count += 1;
    return { asks: "order", data: { count: jumps } };

    function isMoved(child: HTMLElement): boolean {
      const { position, order, top, bottom } = kit.style(child);
      const isShifted = position === "relative" && Math.abs(parseFloat(top) || parseFloat(bottom) || 0) > 20;
      return position === "absolute" || (order !== "0" && order !== "") || isShifted || /reverse/.test(kit.style(element).flexDirection);
    }

    function judgeTable(table: HTMLTableElement): Judgement | undefined {
      const cells = [...table.rows].flatMap((row) => [...row.cells]).filter((cell) => cell.closest("table") === table);
      const isData = table.caption || table.tHead || cells.some((cell) => cell.localName === "th" || cell.hasAttribute("headers") || cell.hasAttribute("scope"));
      if (isData || table.rows.length < 2 || !kit.isVisible(table) || kit.role(table) === "grid") return undefined;
      const isSpanned = cells.some((cell) => cell.rowSpan > 1);
      return isSpanned && cells.length > 2 ? { asks: "table" } : undefined;
    }
  },
};
