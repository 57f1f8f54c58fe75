import type { CompiledQuery, QueryId } from "kysely";
import type { Db } from "./schema";

const marked = new WeakSet<QueryId>();

/**
 * The database for statements that do not wait for the one transaction that writes: each is alone, and right by the locks of its own rows and
 * by unique indexes. SQLite has no such locks: there, they wait.
 */
export function besideWriters(db: Db): Db {
  return db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      marked.add(queryId);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}

export const isBesideWriters = ({ queryId }: CompiledQuery): boolean => marked.has(queryId);
