import type { JsonText } from "db/tables/json-text";

/** Value of the column `left_out` of a run or a schedule. */
export const storedPaths = (paths: string[]): JsonText | null => (paths.length > 0 ? JSON.stringify(paths) : null);

export const readPaths = (stored: JsonText | null): string[] => (stored === null ? [] : (JSON.parse(stored) as string[]));
