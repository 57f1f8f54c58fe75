import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F72: screen readers read a picture made of characters character by character. */
export const asciiArt: PageRule = {
  id: "rampe-ascii-art",
  since: "1.0.0",
  criteria: ["1.1.1"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "pre, xmp, listing",
  judge(element, kit) {
    if (element.closest("[role=img], [role=image], [aria-label]") || element.querySelector("code, kbd, samp")) return undefined;
    const lines = (element.textContent ?? "").split("\n").filter((line) => line.trim() !== "");
    const characters = lines.join("").replace(/\s/g, "");
    const letters = characters.match(/\p{L}/gu)?.length ?? 0;
    const digits = characters.match(/\p{N}/gu)?.length ?? 0;
    if (lines.length < 3 || characters.length < 20 || !kit.isVisible(element)) return undefined;
    const signs = characters.length - letters - digits;
    if (isTable(lines)) return undefined;
    return letters / characters.length < 0.3 && signs / characters.length > 0.4 ? { fails: "characters" } : "passes";

    /** Is it output of a program: a ruler below a head with words, or cells between lines? */
    function isTable(rows: string[]): boolean {
      const isRuler = (row: string) => /--|──|━━|══/.test(row) && /^[\s|+=:─━═│┃║┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝-]+$/.test(row);
      const isHead = (row: string) => /\p{L}/u.test(row);
      const fewestCells = 3;
      const others = rows.filter((row) => !isRuler(row));
      const haveCells = others.length > 0 && others.every((row) => row.split(/[|│┃║]/).length >= fewestCells && /[\p{L}\p{N}]/u.test(row));
      return rows.some(isRuler) && (haveCells || rows.some((row, index) => isRuler(row) && isHead(rows[index - 1] ?? "")));
    }
  },
};
