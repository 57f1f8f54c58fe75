import { sql, type RawBuilder } from "kysely";

/** Condition: one of these columns contains the text. Case-insensitive for ASCII letters. */
export function containsText(columns: string[], text: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(columns.map((column) => contains(column, text)), sql` or `)})`;
}

/** Condition for one column. Letters beyond ASCII stay as they are, because databases treat them differently. */
function contains(column: string, text: string): RawBuilder<boolean> {
  const part = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\\%_]/g, "\\$&");
  return sql<boolean>`lower(${sql.ref(column)}) like ${`%${part}%`} escape '\\'`;
}
