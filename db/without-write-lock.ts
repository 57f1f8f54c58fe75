import type { CompiledQuery, QueryId } from "kysely";
import type { Db } from "./schema";

const marked = new WeakSet<QueryId>();

/**
 * The database for statements that do not wait for the write lock. Each is a transaction of its own; row locks and unique indexes keep it
 * correct. SQLite has no row locks: there, they wait.
 */
export function withoutWriteLock(db: Db): Db {
  return db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      marked.add(queryId);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}

export const skipsWriteLock = ({ queryId }: CompiledQuery): boolean => marked.has(queryId);
