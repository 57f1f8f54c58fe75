import { sql, type RawBuilder } from "kysely";

/** Does one of these columns contain the text? Case-insensitive for ASCII letters. */
export function containsText(columns: string[], text: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(columns.map((column) => contains(column, text)), sql` or `)})`;
}

/** Databases differ in what they do to letters beyond ASCII, so these stay as they are. */
function contains(column: string, text: string): RawBuilder<boolean> {
  const part = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\\%_]/g, "\\$&");
  return sql<boolean>`lower(${sql.ref(column)}) like ${`%${part}%`} escape '\\'`;
}
