/** Maximum entries in a command's list: the latest ones. */
export const MOST_LISTED = 200;

const GAP = "   ";

/** Table for a terminal, without control characters: cells may contain texts of other programs. */
export function textTable(rows: string[][]): string {
  const clean = rows.map((row) => row.map((cell) => cell.replace(/\p{Cc}+/gu, " ")));
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)));
  return clean.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP).trimEnd()}\n`).join("");
}

/** Line below an incomplete list. @param elsewhere place of the complete list: `the page /admin/mails has` */
export const moreThanListed = (total: number, elsewhere: string): string => (total > MOST_LISTED ? `\nThese are ${MOST_LISTED} of ${total}; ${elsewhere} all.\n` : "");

/** Date and time to the minute, in UTC. @param at Unix time in ms */
export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
