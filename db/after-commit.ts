import type { CompiledQuery, QueryId } from "kysely";
import { queryPlugin } from "./query-plugin";
import type { Trx } from "./schema";

const listeners = new WeakMap<QueryId, () => void>();

/**
 * Transaction whose statements call the listener after its commit, and never after a rollback. The process may end, or lose its
 * connection, between the commit and the call. The listener must not throw: its error would look like that of the commit.
 */
export function afterCommit(trx: Trx, listener: () => void): Trx {
  return trx.withPlugin(queryPlugin((id) => listeners.set(id, listener)));
}

/** Listener of a statement for the commit of its transaction. */
export const commitListener = ({ queryId }: CompiledQuery): (() => void) | undefined => listeners.get(queryId);
