/** Byte order mark: without it, spreadsheets read UTF-8 as the local encoding. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Separator of cells: a semicolon in languages with decimal commas, such as German. */
export type Separator = "," | ";";

/** Separator that spreadsheets expect in a language. */
export function separatorOf(locale: string): Separator {
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal");
  return decimal?.value === "," ? ";" : ",";
}

/**
 * Positions where a spreadsheet may start a formula: the beginning of a cell (OWASP, "CSV injection"), the beginning of a line, and
 * after separators of other languages: a spreadsheet with other separators does not see where our cells end.
 */
const FORMULA: Record<Separator, RegExp> = {
  ",": /(?:^|(?<=[;\t\r\n]))(?=[\s"]{0,8}[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r\n])/g,
  ";": /(?:^|(?<=[,\t\r\n]))(?=[\s"]{0,8}[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r\n])/g,
};

/** Writes lines of a table; line ends as in RFC 4180. */
export const csvLine = (separator: Separator) => (cells: string[]): string => `${cells.map((value) => cell(value, separator)).join(separator)}\r\n`;

/** Cell. Against CSV injection, an apostrophe in front turns a formula into text. */
function cell(value: string, separator: Separator): string {
  const safe = value.replace(FORMULA[separator], "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
