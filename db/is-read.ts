import { SelectQueryNode, type CompiledQuery } from "kysely";

/** True for a statement that only reads. Reads do not wait for writes. */
export const isRead = ({ query, sql }: CompiledQuery): boolean => SelectQueryNode.is(query) || /^\s*select\b/i.test(sql);
