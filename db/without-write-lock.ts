import type { CompiledQuery, QueryId } from "kysely";
import { queryPlugin } from "./query-plugin";
import type { Db } from "./schema";

const marked = new WeakSet<QueryId>();

/**
 * Database for statements that do not wait for the write lock. Each is its own transaction, safe by row locks and unique indexes.
 * SQLite has no row locks: there, the statements wait.
 */
export function withoutWriteLock(db: Db): Db {
  return db.withPlugin(queryPlugin((id) => marked.add(id)));
}

export const skipsWriteLock = ({ queryId }: CompiledQuery): boolean => marked.has(queryId);
