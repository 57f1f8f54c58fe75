/** Entries that a command lists; the latest ones. */
export const MOST_LISTED = 200;

const GAP = "   ";

/** A table for a terminal; without characters that control it, as cells may hold texts of other programs. */
export function textTable(rows: string[][]): string {
  const clean = rows.map((row) => row.map((cell) => cell.replace(/\p{Cc}+/gu, " ")));
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)));
  return clean.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP).trimEnd()}\n`).join("");
}

/** Line below a list, if it does not have all. @param elsewhere what has all: `the page /admin/mails has` */
export const moreThanListed = (total: number, elsewhere: string): string => (total > MOST_LISTED ? `\nThese are ${MOST_LISTED} of ${total}; ${elsewhere} all.\n` : "");

/** To the minute, in UTC. @param at Unix time in ms */
export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
