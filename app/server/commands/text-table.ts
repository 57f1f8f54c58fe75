const GAP = "   ";

/** A table for a terminal; without characters that control it, as cells may hold texts of other programs. */
export function textTable(rows: string[][]): string {
  const clean = rows.map((row) => row.map((cell) => cell.replace(/\p{Cc}+/gu, " ")));
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)));
  return clean.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP).trimEnd()}\n`).join("");
}

/** To the minute, in UTC. @param at Unix time in ms */
export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
