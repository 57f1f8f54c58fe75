/**
 * Reads CSV strictly by RFC 4180, except for the separator.
 * @throws at the first character that is not allowed
 */
export function readCsv(text: string, separator: "," | ";" = ","): string[][] {
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^",;\\r\\n]*))(${separator}|\\r\\n)`, "y");
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (!found) throw new Error(`no CSV at ${at}: ${text.slice(at, at + 80)}`);
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error("the last line has no end");
  return rows;
}
