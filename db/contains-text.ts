import { sql, type RawBuilder } from "kysely";

/** Does one of these columns contain the text? Case-insensitive for ASCII letters. */
export function containsText(columns: string[], text: string): RawBuilder<boolean> {
  const part = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`(${sql.join(columns.map((column) => sql`lower(${sql.ref(column)}) like ${part} escape '\\'`), sql` or `)})`;
}
