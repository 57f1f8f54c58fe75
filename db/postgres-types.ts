import type { CustomTypesConfig } from "pg";

/** Parsers by PostgreSQL's type numbers: `bool`, `int8`, `numeric`. */
const PARSERS: Partial<Record<number, (text: string) => number>> = { 16: (text) => (text === "t" ? 1 : 0), 20: Number, 1700: Number };

type Parse = (text: string) => unknown;

/** Same values as in SQLite: numbers for all whole numbers and sums, 0 or 1 for conditions. @param others parsers of the package */
export function sqliteValues(others: { getTypeParser: (type: number, format?: "text") => unknown }): CustomTypesConfig {
  const getTypeParser = (type: number, format?: "text") => PARSERS[type] ?? (others.getTypeParser(type, format) as Parse);
  return { getTypeParser: getTypeParser as CustomTypesConfig["getTypeParser"] };
}
