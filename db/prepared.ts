import type { CompiledQuery, QueryId } from "kysely";
import { queryPlugin } from "./query-plugin";
import type { Db, Trx } from "./schema";

const marked = new WeakSet<QueryId>();

/**
 * Database or transaction whose statements PostgreSQL parses and plans once for each connection: for short statements that run for
 * every job. They name their columns: a prepared `*` fails after a migration that adds one. Without effect on SQLite.
 */
export function prepared<On extends Db | Trx>(on: On): On {
  return on.withPlugin(queryPlugin((id) => marked.add(id))) as On;
}

export const isPrepared = ({ queryId }: CompiledQuery): boolean => marked.has(queryId);
